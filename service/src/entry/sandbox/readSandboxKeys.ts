import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseApiKey } from 'kassa/engine'
import * as z from 'zod/mini'
import { inDataDir } from '#base/config/inDataDir.js'
import { ConfigError } from '#base/config/parseConfig.js'
import { newApiKey } from '#identity/keys/apiKeys.js'

const Keys = z.object({ serverKey: z.string(), clientKey: z.string() })

/** The keys of the sandbox's project, and the allowed origins of its client key. */
export type SandboxKeys = z.infer<typeof Keys> & { origins: string[] }

const readKept = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** Creates the missing keys once and stores them with the data, readable by their owner only. */
const keepOwn = (dataDir: string, randomBytes: (length: number) => Uint8Array): z.infer<typeof Keys> => {
  const path = join(dataDir, 'sandbox-keys.json')
  const kept = z.safeParse(Keys, readKept(path))
  if (kept.success) return kept.data
  const made = {
    serverKey: newApiKey('server', 'staging', randomBytes),
    clientKey: newApiKey('client', 'staging', randomBytes),
  }
  inDataDir(dataDir, () => {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    writeFileSync(path, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 })
  })
  return made
}

/**
 * Reads the sandbox's keys from `KASSA_SERVER_KEY` and `KASSA_CLIENT_KEY`, and from `KASSA_ORIGINS`,
 * separated by commas, the origins of pages on other machines. Pages on this machine may always use the
 * client key.
 *
 * @throws {@link ConfigError} naming the variable that is wrong.
 */
export const readSandboxKeys = (
  env: Readonly<Record<string, string | undefined>>,
  dataDir: string,
  randomBytes: (length: number) => Uint8Array,
): SandboxKeys => {
  const read = (variable: 'KASSA_SERVER_KEY' | 'KASSA_CLIENT_KEY', kind: 'server' | 'client') => {
    const key = env[variable]
    if (!key) return undefined
    const parsed = parseApiKey(key)
    if (parsed?.kind === kind && parsed.environment === 'staging') return key
    throw new ConfigError(`${variable}: expected a ${kind} key of the staging environment`)
  }
  const serverKey = read('KASSA_SERVER_KEY', 'server')
  const clientKey = read('KASSA_CLIENT_KEY', 'client')
  const keys = serverKey && clientKey ? { serverKey, clientKey } : keepOwn(dataDir, randomBytes)
  const origins = (env.KASSA_ORIGINS || 'http://localhost:3000').split(',').map((origin) => origin.trim())
  return { serverKey: serverKey ?? keys.serverKey, clientKey: clientKey ?? keys.clientKey, origins }
}
