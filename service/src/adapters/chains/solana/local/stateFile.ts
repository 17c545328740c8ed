import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { Cluster } from './cluster.js'
import type { ClusterChange, ClusterState } from './clusterParts.js'

/** A cluster as its file keeps it: a whole state, and the changes since. */
type SavedCluster = { genesisHash: string; state: ClusterState; changes: ClusterChange[] }

const lengthBytes = 4
/** Changes shorter than this are not worth another whole state. */
const minChangesBytes = 4_000_000

const encodeRecord = (value: unknown): Buffer => {
  const bytes = serialize(value)
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt32LE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** Reads the records of a file. Skips truncated and malformed records. */
const readRecords = (file: Buffer): unknown[] => {
  const records: unknown[] = []
  for (let at = 0; at + lengthBytes <= file.length; ) {
    const end = at + lengthBytes + file.readUInt32LE(at)
    if (end > file.length) break
    records.push(deserialize(file.subarray(at + lengthBytes, end)))
    at = end
  }
  return records
}

/**
 * Loads the cluster that a file keeps, or returns `undefined` if there is none.
 *
 * @throws {Error} If the file cannot be read. A new cluster would replace it, and the database would still count on
 * the tokens of the old one.
 */
export const loadState = (path: string | undefined): SavedCluster | undefined => {
  if (path === undefined || !existsSync(path)) return undefined
  const [first, ...changes] = readRecords(readFileSync(path))
  if (first === undefined) {
    throw new Error(
      `${path} is not a state of the local Solana: it is damaged, or of another version. Restore it, or remove the folder of the service's data to start with empty chains and an empty database.`,
    )
  }
  return { ...(first as Omit<SavedCluster, 'changes'>), changes: changes as ClusterChange[] }
}

/**
 * Keeps a cluster in a file. The whole state is written first, then each change is appended, so that a block costs
 * what its transactions do. When the changes are as long as the state, the state is written anew.
 */
export const createStateFile = (
  path: string,
  { genesisHash, cluster }: { genesisHash: string; cluster: Cluster },
) => {
  let stateBytes = 0
  let changesBytes = 0
  mkdirSync(dirname(path), { recursive: true })

  const saveAll = (): void => {
    const record = encodeRecord({ genesisHash, state: cluster.save() })
    // A process that is killed while it writes leaves the earlier state.
    writeFileSync(`${path}.new`, record)
    renameSync(`${path}.new`, path)
    stateBytes = record.length
    changesBytes = 0
  }

  return {
    /** Writes the whole state. */
    saveAll,
    /** Appends what happened since the last save, if that is enough. */
    saveChange: (): void => {
      const isDue = stateBytes === 0 || changesBytes > Math.max(stateBytes, minChangesBytes)
      const change = isDue ? undefined : cluster.saveChange()
      if (!change) saveAll()
      else {
        const record = encodeRecord(change)
        appendFileSync(path, record)
        changesBytes += record.length
      }
    },
  }
}
