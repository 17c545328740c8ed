import { readAuthorization } from 'kassa/engine'
import { type Address, getAddress, type PublicClient } from 'viem'
import { ServiceError } from '#base/errors.js'
import { withMutex } from '#base/lib/withMutex.js'
import type {
  AuthorizationPort,
  AuthorizationRefusal,
  AuthorizationWrite,
  SimulatedAuthorization,
} from '#base/ports/authorizations.js'
import type { ChainParts } from '../chainParts.js'
import { getCloneAddress, toReference } from '../connection/addresses.js'
import { type Connection, deployMissing } from '../connection/connect.js'
import { readDataFee } from '../connection/dataFee.js'
import { least, priceOf, readBlockTerms } from '../connection/fees.js'
import { readRevert } from '../connection/readRevert.js'
import type { SendWrite } from '../outbox/createSendWrite.js'
import { findDone } from '../outbox/findDone.js'
import type { OutboxCall } from '../outbox/outboxCall.js'
import { explainMisfit, gasFor } from '../outbox/signCall.js'
import { toHex } from '../outbox/signed.js'
import { refuse } from '../outbox/toResult.js'
import { type AuthorizationChain, getTerms } from './authorizationTerms.js'
import { explainSettlement } from './explainSettlement.js'
import { authorizationTrace } from './readUse.js'
import { listSettleCalls, listSettleContracts, maxSettlementGas, type Settlement } from './settleCalls.js'

/** A call that the chain would make, or the words in which it refuses. */
type Tried = { call: OutboxCall; gas: bigint } | { reason: string }

/** Estimates the calls by which an authorization can be settled, and returns the first that the chain would make. */
const tryCalls = async (client: PublicClient, operator: Address, settlement: Settlement): Promise<Tried> => {
  const payer = getAddress(settlement.authorization.payer)
  const hasCode = (await client.getCode({ address: payer })) !== undefined
  let refusal = 'no form of the call fits'
  for (const call of listSettleCalls(settlement, hasCode)) {
    try {
      return { call, gas: await client.estimateGas({ account: operator, ...call }) }
    } catch (error) {
      const reason = readRevert(error)
      if (reason === undefined) throw error
      refusal = reason
    }
  }
  return { reason: refusal }
}

/** Creates the part of a port that settles signed authorizations on an EVM chain. */
export const createAuthorizationPort = (
  parts: ChainParts,
  chain: AuthorizationChain,
  send: SendWrite,
): AuthorizationPort => {
  const { options, account, contracts, tokenOf, use, read } = parts

  const getToken = (currency: string): Address => {
    const token = tokenOf(currency)
    if (token) return token
    throw new ServiceError('input-invalid', `${currency} has no contract that takes signatures`)
  }

  const toSettlement = ({ orderId, currency, units, authorization }: AuthorizationWrite): Settlement => ({
    token: getToken(currency),
    recipient: getCloneAddress(contracts.depositFactory, toReference(orderId)),
    units,
    authorization,
  })

  const traceOf = (settlement: Settlement) => authorizationTrace(options.chain, settlement)

  /** Deploys what settling an authorization needs on first use, so that no other deployment pays for it. */
  const putInPlace = (opened: Connection, { authorization }: Settlement): Promise<void> => {
    const needed = listSettleContracts(authorization)
    if (!needed.length) return Promise.resolve()
    return withMutex(`authorizations:${options.chain}`, () =>
      deployMissing(opened, { ...options, address: account.address }, needed),
    )
  }

  /** Says why the chain refuses an authorization. */
  const explain = async (
    client: PublicClient,
    { orderId }: AuthorizationWrite,
    settlement: Settlement,
    reason: string,
  ): Promise<AuthorizationRefusal> => {
    const { token, units, authorization } = settlement
    const { kind, nonce, validAfter, validBefore } = authorization
    const payer = getAddress(authorization.payer)
    const payment = { orderId, token, units, deadlineMs: Number(validBefore) * 1000, payer }
    const terms = await getTerms(chain, payment, kind)
    if (!terms) return { reason: 'unsupported_scheme', message: `the token takes no ${kind}` }
    const signed = { ...terms, payer, nonce: toHex(nonce), validAfter: BigInt(validAfter) }
    const refusal = await explainSettlement(client, { settlement, terms: signed, reason })
    // A token that was changed has another domain, and would refuse every signature from then on.
    if (refusal.reason === 'invalid_exact_evm_payload_signature') chain.forgetAbilities(token)
    return refusal
  }

  const simulate = async (opened: Connection, write: AuthorizationWrite): Promise<SimulatedAuthorization> => {
    const { client } = opened
    const settlement = toSettlement(write)
    await putInPlace(opened, settlement)
    const tried = await tryCalls(client, account.address, settlement)
    if ('reason' in tried) {
      // Anyone may bring what the payer signed. Then the money has moved, and settling finds that.
      const done = await findDone(client, options, traceOf(settlement), refuse(tried.reason, undefined))
      if (done.status === 'succeeded') return { status: 'ready', fee: 0n }
      return { status: 'refused', ...(await explain(client, write, settlement, tried.reason)) }
    }
    const { gasLimit, asked } = await readBlockTerms(client)
    const most = least(maxSettlementGas, gasLimit)
    const misfit = explainMisfit(tried.gas, most)
    if (misfit !== undefined) {
      return { status: 'refused', reason: 'invalid_exact_evm_transaction_simulation_failed', message: misfit }
    }
    const gas = gasFor(tried.gas, most)
    const fee = gas * priceOf(asked)
    return {
      status: 'ready',
      fee: fee + (await readDataFee(client, options.chainId, { ...tried.call, gas, fees: asked })),
    }
  }

  return {
    findTransferToken: async (currency) => {
      const address = tokenOf(currency)
      if (!address) return undefined
      const { domain, hasTransfers } = await chain.abilitiesOf(address)
      return hasTransfers && domain ? { address, ...domain } : undefined
    },
    read: async ({ currency, ...payment }, body, nowMs) => {
      const terms = await use(() => getTerms(chain, { ...payment, token: getToken(currency) }, body.kind))
      if (terms) return readAuthorization(terms, body, nowMs)
      const message = `kind: ${currency} on ${options.chain} takes no ${body.kind}`
      return { refused: { reason: 'unsupported_scheme', message } }
    },
    simulate: (write) => use((opened) => simulate(opened, write)),
    settle: (key, write, terms) => {
      const settlement = toSettlement(write)
      const makeCall = async () => {
        await use((opened) => putInPlace(opened, settlement))
        const tried = await read((client) => tryCalls(client, account.address, settlement))
        return 'reason' in tried
          ? refuse(tried.reason, undefined)
          : { ...tried.call, maxGas: maxSettlementGas }
      }
      return send(key, { makeCall, trace: traceOf(settlement) }, terms)
    },
  }
}
