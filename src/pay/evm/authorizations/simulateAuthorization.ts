import { type Client, domainSeparator, parseAbi } from 'viem'
import { call, getBlockNumber, getCode, readContract } from 'viem/actions'
import type { Config } from 'wagmi'
import type { CheckedAuthorization } from '../../../chain/index.js'
import { invalid } from '../../../chain/refusals.js'
import { type ProposedTerms, permit2Address } from '../../../engine/evm/authorization.js'
import { payError } from '../../../errors/payError.js'
import { getNode } from '../node.js'
import { checkFunds, isContract, type Simulation, toSimulationError } from '../simulatePayment.js'

const tokenAbi = parseAbi([
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function nonces(address owner) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
])

/**
 * Checks that the typed data of the token has the token's own domain. With another one, the wallet would show a name that
 * is not the token's, and the token would refuse the signature.
 *
 * @throws {@link KassaError} `pay.preparation-invalid`.
 */
const checkDomain = async (client: Client, { domain, chainId, token }: ProposedTerms): Promise<void> => {
  // Permit2 alone has a domain of its own, which names no token.
  if (!domain) return
  const own = await readContract(client, { address: token, abi: tokenAbi, functionName: 'DOMAIN_SEPARATOR' })
  if (own !== domainSeparator({ domain: { ...domain, chainId, verifyingContract: token } }))
    throw invalid('the name of the token that it asks to sign is not the token’s')
}

/**
 * Finds out what the payer has to sign: where Permit2 may move the token already, no permit is needed.
 *
 * @throws {@link KassaError} `pay.would-revert`.
 */
const readNeeded = async (
  client: Client,
  { kind, token, payer, units, permitNonce }: ProposedTerms,
): Promise<ProposedTerms['kind']> => {
  if (kind === 'erc3009') return kind
  const contract = { address: token, abi: tokenAbi } as const
  const [allowance, nonce] = await Promise.all([
    readContract(client, { ...contract, functionName: 'allowance', args: [payer, permit2Address] }),
    kind === 'permit' && readContract(client, { ...contract, functionName: 'nonces', args: [payer] }),
  ])
  if (allowance >= units) return 'permit2'
  if (kind === 'permit2') throw payError('pay.would-revert', { reason: 'Permit2 may not move the token' })
  if (nonce === permitNonce) return kind
  throw payError('pay.would-revert', { reason: 'the number of the permit is not the next one' })
}

/** What a chain says of a payment before it is signed, and the terms of what its payer has to sign. */
export type AuthorizationSimulation = Simulation & { terms: ProposedTerms }

/**
 * Simulates a payment that the shop sends: the payer can afford it, and the token takes it. The payer needs no coins. What
 * a service says of the token is compared with the token itself.
 *
 * @throws {@link KassaError} `pay.insufficient-funds`, `pay.preparation-invalid`, `pay.would-revert`,
 * `pay.chain-unavailable`.
 */
export const simulateAuthorization = async (
  config: Config,
  { payment, terms }: CheckedAuthorization,
): Promise<AuthorizationSimulation> => {
  const { chain, chainId, payerAddress: account, to, data } = payment
  try {
    const client = getNode(config, chainId)
    await checkFunds(config, payment)
    const [kind, code, blockNumber] = await Promise.all([
      readNeeded(client, terms),
      getCode(client, { address: account }),
      getBlockNumber(client, { cacheTime: 0 }),
      checkDomain(client, terms),
      call(client, { account, to, data }),
    ])
    return { terms: { ...terms, kind }, gas: undefined, isContractWallet: isContract(code), blockNumber }
  } catch (cause) {
    throw toSimulationError(cause, chain)
  }
}
