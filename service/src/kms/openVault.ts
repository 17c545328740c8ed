import type { Config } from '../config/config.js'
import { createVault, type Vault } from '../wallets/vault.js'
import { createMasterKey } from './createMasterKey.js'

/** Opens the vault of a deployment that holds its own master keys. */
export const openVault = (
  { masterKey, otherMasterKeys }: Pick<Config, 'masterKey' | 'otherMasterKeys'>,
  randomBytes: (length: number) => Uint8Array,
): Vault =>
  createVault({
    wrapper: createMasterKey(masterKey, randomBytes),
    others: otherMasterKeys.map((key) => createMasterKey(key, randomBytes)),
    randomBytes,
  })
