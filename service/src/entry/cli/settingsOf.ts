import type { Config } from '#base/config/config.js'
import { parseConfig, parseSettings } from '#base/config/parseConfig.js'
import type { CliContext } from './group.js'

/**
 * Returns the settings of a command that needs no key: those of the running service, or of the command's
 * environment.
 */
export const settingsOf = ({
  env,
  service,
}: CliContext): Omit<Config, 'masterKey' | 'operatorKey' | 'solanaOperatorKey'> =>
  service?.config ?? parseSettings(env)

/** Returns the master keys that secrets are encrypted under. */
export const masterKeysOf = ({ env }: CliContext): Pick<Config, 'masterKey' | 'otherMasterKeys'> => {
  const { readMasterKey, otherMasterKeys } = parseSettings(env)
  return { masterKey: readMasterKey(), otherMasterKeys }
}

/** Returns the key that deploys, mints and refunds. */
export const operatorKeyOf = ({ env, service }: CliContext): Config['operatorKey'] =>
  service?.config.operatorKey ?? parseSettings(env).readOperatorKey()

/** Returns the key that does so on Solana, or `undefined` if Solana is not enabled. */
export const solanaOperatorKeyOf = ({ env, service }: CliContext): Config['solanaOperatorKey'] =>
  service ? service.config.solanaOperatorKey : parseSettings(env).readSolanaOperatorKey()

/** Returns all settings. */
export const configOf = ({ env, service }: CliContext): Config => service?.config ?? parseConfig(env)
