import type { Config } from '../config/config.js'
import { ServiceError } from '../errors.js'
import { checkUrl } from '../guard/checkUrl.js'
import { lookUpAll } from '../guard/createGuardedAgent.js'
import { isPublicAddress } from '../guard/isPublicAddress.js'
import { UsageError } from './UsageError.js'

const longest = 2_048

const check = (text: string, isPublic: (address: string) => boolean): URL => {
  try {
    return checkUrl(text, isPublic)
  } catch (error) {
    throw error instanceof ServiceError ? new UsageError(`--url: ${error.message}`) : error
  }
}

/**
 * Reads the URL of a webhook endpoint. In production it must be https, on a public address. The address is
 * checked again at every send.
 *
 * @throws {@link UsageError} naming `--url`.
 */
export const readEndpointUrl = async (
  { environment }: Pick<Config, 'environment'>,
  text: string,
): Promise<string> => {
  if (text.length > longest) throw new UsageError(`--url: at most ${longest} characters`)
  if (environment !== 'production') return check(text, () => true).href
  const url = check(text, isPublicAddress)
  if (url.protocol !== 'https:') throw new UsageError('--url: expected an https URL in production')
  const addresses = await lookUpAll(url.hostname.replace(/^\[|\]$/g, '')).catch(() => {
    throw new UsageError('--url: names a host that does not exist')
  })
  if (!addresses.some(({ address }) => isPublicAddress(address))) {
    throw new UsageError('--url: leads to an address that is not public')
  }
  return url.href
}
