import type { Client } from '../api/index.js'
import type { SandboxRecord } from './snapshot.js'

/** What a developer can do with a sandbox. */
export type Sandbox = {
  get(): SandboxRecord
  /** Asks once whether the service is a sandbox, and stores the answer. */
  ask(): Promise<void>
  /**
   * Requests test funds for an address.
   *
   * @returns Whether the sandbox has sent them.
   */
  fund(chain: string, address: string): Promise<boolean>
}

const readChains = async (response: Response): Promise<string[] | undefined> => {
  if (!response.ok) return undefined
  const body: unknown = await response.json()
  const chains = typeof body === 'object' && body !== null && 'chains' in body ? body.chains : undefined
  return typeof chains === 'object' && chains !== null ? Object.keys(chains) : undefined
}

/** Finds out whether the service is a sandbox, which has an endpoint `/sandbox` beside its interface. */
export const createSandbox = (client: Client, onChange: () => void): Sandbox => {
  const url = `${client.baseUrl.replace(/\/api$/, '')}/sandbox`
  let record: SandboxRecord = { status: 'unknown', chains: [] }
  const set = (next: SandboxRecord): void => {
    record = next
    onChange()
  }
  return {
    get: () => record,
    ask: async () => {
      if (!['unknown', 'away'].includes(record.status)) return
      set({ status: 'asking', chains: [] })
      try {
        const chains = await readChains(await client.fetch(url))
        set(chains ? { status: 'ready', chains } : { status: 'none', chains: [] })
      } catch {
        set({ status: 'away', chains: [] })
      }
    },
    fund: async (chain, address) => {
      if (!record.chains.includes(chain)) return false
      const init = { method: 'POST', headers: { 'content-type': 'application/json' } }
      return client.fetch(`${url}/fund`, { ...init, body: JSON.stringify({ chain, address }) }).then(
        ({ ok }) => ok,
        () => false,
      )
    },
  }
}
