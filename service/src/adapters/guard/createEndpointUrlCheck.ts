import type { CheckEndpointUrl } from '#base/ports/guard.js'
import { checkUrl, isPublicAddress, refuse, refusePrivate } from './checkUrl.js'
import { lookUpAll } from './createGuardedAgent.js'

const longest = 2_048

/** Creates the check of webhook endpoints' URLs. Guarded, it refuses what is not https or leads to a private address. */
export const createEndpointUrlCheck =
  ({ isGuarded }: { isGuarded: boolean }): CheckEndpointUrl =>
  async (text) => {
    if (text.length > longest) throw refuse(`at most ${longest} characters`)
    if (!isGuarded) return checkUrl(text, () => true).href
    const url = checkUrl(text, isPublicAddress)
    if (url.protocol !== 'https:') throw refuse('expected an https URL in production')
    const addresses = await lookUpAll(url.hostname.replace(/^\[|\]$/g, '')).catch(() => {
      throw refuse('names a host that does not exist')
    })
    if (!addresses.some(({ address }) => isPublicAddress(address))) throw refusePrivate()
    return url.href
  }
