import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Runs a task while a local chain's node does not respond, as behind a broken connection. The node continues
 * afterwards.
 */
export const withChainAway = async <Result>(
  dataDir: string,
  chain: string,
  work: () => Promise<Result>,
): Promise<Result> => {
  const [, holder] = readFileSync(join(dataDir, 'service/chains', `${chain}.pid`), 'utf8').split('\n')
  const pid = Number(holder?.split(' ')[0])
  if (!pid) throw new Error(`the node of ${chain} was not found`)
  process.kill(pid, 'SIGSTOP')
  try {
    return await work()
  } finally {
    process.kill(pid, 'SIGCONT')
  }
}
