import { apiError } from '../errors/apiError.js'
import { readCredentialAnswer } from '../schema/walletReaders.js'
import { callWallet, type WalletService } from './callWallet.js'
import { isOwnAddress, type Owner } from './ownWallets.js'
import { readJson } from './passOn.js'
import { Refusal } from './Refusal.js'

/** Returns the address in a DID such as `did:pkh:eip155:1:0x…`. */
const readDid = (did: string): string | undefined => /^did:pkh:[^:]+:[^:]+:(\w+)$/.exec(did)?.[1]

/**
 * Forwards the credential of a token in one of the user's wallets. For a token of another holder it answers
 * as if there were none.
 *
 * @throws {@link Refusal} 404 for what is not the user's; {@link KassaError} `api.invalid-answer`; the
 * service's refusal.
 */
export const passOwnCredential = async (
  service: WalletService,
  nftLocator: string,
  owner: Owner,
  buyer: AbortSignal,
): Promise<Response> => {
  const path = `/v1-alpha1/nfts/${encodeURIComponent(nftLocator)}/credentials`
  const response = await callWallet(service, { method: 'GET', path }, buyer)
  const read = readCredentialAnswer(readJson(await response.clone().text()))
  if (read.fault !== undefined)
    throw apiError('api.invalid-answer', { url: `${service.baseUrl}${path}`, issues: read.fault })
  const holder = readDid(read.data.value.credentialSubject.id)
  if (holder !== undefined && (await isOwnAddress(service, holder, owner, buyer))) return response
  throw new Refusal(404, `Token ${nftLocator} not found`)
}
