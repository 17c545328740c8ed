import { chainFamilyOf } from '../schema/chains.js'
import { clip } from './clip.js'

/** Whether a deployment could enable a chain. */
const isSupported = (chain: string): boolean => {
  const family = chainFamilyOf(chain)
  return family !== undefined && family !== 'aptos'
}

/**
 * Explains why a deployment does not serve a chain: no setting could enable it, or this deployment has not enabled it.
 *
 * @param enabled - The chains that this deployment has enabled.
 */
export const explainDisabled = (chain: string, enabled: readonly string[]): string => {
  const list = `(enabled: ${enabled.join(', ') || 'none'})`
  const name = chain === 'aptos' ? 'Aptos' : clip(chain) || '(empty)'
  return isSupported(chain)
    ? `${name} is not enabled on this deployment ${list}`
    : `${name} is not supported, and no setting enables it ${list}`
}
