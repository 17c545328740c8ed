import { createHash } from 'node:crypto'
import { seal, unseal } from '../lib/seal.js'
import type { KeyWrapper } from './keyWrapper.js'

const fingerprint = (key: Uint8Array): string =>
  createHash('sha256').update('kassa master key').update(key).digest('hex').slice(0, 16)

/**
 * Creates a key wrapper whose master key is in this process: AES-256-GCM.
 *
 * @param masterKey - 32 bytes.
 */
export const createMasterKey = (
  masterKey: Uint8Array,
  randomBytes: (length: number) => Uint8Array,
): KeyWrapper => {
  if (masterKey.length !== 32) throw new RangeError('the master key must be 32 bytes')
  return {
    keyId: fingerprint(masterKey),
    wrap: async (dataKey, context) => seal(dataKey, masterKey, context, randomBytes),
    unwrap: async (wrapped, context) => unseal(wrapped, masterKey, context),
  }
}
