import { type AuthorizationTerms, nonceOfQuote, type ProposedTerms, permit2Address } from 'kassa/engine'
import type { AuthorizationKind, PreparedAuthorization } from 'kassa/schema'
import { type Address, erc20Abi, getAddress, type PublicClient, parseAbi } from 'viem'
import type { AuthorizedPayment } from '#base/ports/authorizations.js'
import { authorizationDeployments, getCloneAddress, toReference } from '../connection/addresses.js'
import type { PaymentContracts } from '../payments/orderPayments.js'
import type { KnownAbilities } from './createAbilities.js'
import type { TokenAbilities } from './readTokenAbilities.js'

/** What writing the terms of an authorization needs to know of its chain. */
export type AuthorizationChain = KnownAbilities & {
  contracts: Pick<PaymentContracts, 'depositFactory'>
  chainId: number
}

const noncesAbi = parseAbi(['function nonces(address owner) view returns (uint256)'])

/** Whether a token takes authorizations of a kind. Permit2 takes those for every token. */
const takesKind = ({ hasTransfers, hasPermits }: TokenAbilities, kind: AuthorizationKind): boolean =>
  ({ erc3009: hasTransfers, permit: hasPermits, permit2: true })[kind]

/** Returns the nonce of the payer's next permit, as an order proposed it. */
const readPermitNonce = (prepared: PreparedAuthorization | undefined): bigint | undefined => {
  const nonce = prepared?.permit?.message.nonce
  return typeof nonce === 'string' ? BigInt(nonce) : undefined
}

/** A payment in a token, by the token's address. */
type TokenPayment = Omit<AuthorizedPayment, 'currency'> & { token: Address }

/**
 * Returns what an authorization of a kind must say to make a payment, or `undefined` if the token takes none of that
 * kind.
 */
export const getTerms = async (
  { contracts, chainId, abilitiesOf }: AuthorizationChain,
  { orderId, token, units, deadlineMs, payer, prepared, isChosen = false }: TokenPayment,
  kind: AuthorizationKind,
): Promise<AuthorizationTerms | undefined> => {
  const abilities = await abilitiesOf(token)
  if (!takesKind(abilities, kind)) return undefined
  return {
    kind,
    chainId,
    token,
    domain: abilities.domain,
    spender: authorizationDeployments.permitSpender.address,
    payer: payer === undefined ? undefined : getAddress(payer),
    recipient: getCloneAddress(contracts.depositFactory, toReference(orderId)),
    units,
    validBefore: BigInt(Math.floor(deadlineMs / 1000)),
    nonce: isChosen ? undefined : nonceOfQuote({ orderId, units, deadlineMs }),
    permitNonce: readPermitNonce(prepared),
  }
}

/**
 * Returns the terms that an order proposes to its payer, of the kind that asks least of them. A token that takes signed
 * transfers needs nothing else to be read. `undefined` if the payer would first have to let Permit2 move the token.
 *
 * @param input.isContract - Whether the payer is a contract, which signs no permit in three parts.
 */
export const proposeTerms = async (
  batching: PublicClient,
  chain: AuthorizationChain,
  input: Omit<TokenPayment, 'prepared'> & { payer: string; isContract(): Promise<boolean> },
): Promise<ProposedTerms | undefined> => {
  const { orderId, token, units, deadlineMs, isContract } = input
  const payer = getAddress(input.payer)
  const propose = async (
    kind: AuthorizationKind,
    permitNonce?: bigint,
  ): Promise<ProposedTerms | undefined> => {
    const terms = await getTerms(chain, input, kind)
    return terms && { ...terms, payer, nonce: nonceOfQuote({ orderId, units, deadlineMs }), permitNonce }
  }
  const { hasTransfers, hasPermits } = await chain.abilitiesOf(token)
  if (hasTransfers) return propose('erc3009')
  const [allowance, permitNonce] = await Promise.all([
    batching.readContract({
      address: token,
      abi: erc20Abi,
      functionName: 'allowance',
      args: [payer, permit2Address],
    }),
    hasPermits
      ? batching.readContract({ address: token, abi: noncesAbi, functionName: 'nonces', args: [payer] })
      : 0n,
  ])
  if (allowance >= units) return propose('permit2')
  return hasPermits && !(await isContract()) ? propose('permit', permitNonce) : undefined
}
