import type { Config } from '../config.js'
import { parseConfig, parseSettings } from '../parseConfig.js'
import type { CliContext } from './group.js'

/** The settings of a command that needs no key: those of the service that does it, or of its environment. */
export const settingsOf = ({ env, service }: CliContext): Omit<Config, 'masterKey' | 'operatorKey'> =>
  service?.config ?? parseSettings(env)

/** The keys under which secrets are kept. */
export const masterKeysOf = ({ env }: CliContext): Pick<Config, 'masterKey' | 'otherMasterKeys'> => {
  const { readMasterKey, otherMasterKeys } = parseSettings(env)
  return { masterKey: readMasterKey(), otherMasterKeys }
}

/** The key that deploys, mints and refunds. */
export const operatorKeyOf = ({ env, service }: CliContext): Config['operatorKey'] =>
  service?.config.operatorKey ?? parseSettings(env).readOperatorKey()

/** All settings. */
export const configOf = ({ env, service }: CliContext): Config => service?.config ?? parseConfig(env)
