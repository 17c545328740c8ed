import { encodeFunctionData, erc20Abi, type Hex, isAddressEqual, isHex, recoverTypedDataAddress } from 'viem'
import { makeKey } from '../../api/makeKey.js'
import { canonicalJson } from '../../engine/canonicalJson.js'
import { type ProposedTerms, permit2Address, writeAuthorization } from '../../engine/evm/authorization.js'
import { readAuthorization, type SignedAuthorization } from '../../engine/evm/readAuthorization.js'
import { acceptsPayment } from '../../engine/order/applyQuote.js'
import type { OrderState } from '../../engine/order/order.js'
import { parseInput } from '../../engine/parseInput.js'
import { Refusal } from '../../engine/refusal.js'
import {
  type Authorization,
  CreateAuthorizationBody,
  type PreparedAuthorization,
  type TypedData,
} from '../../schema/authorization.js'
import type { SettledSignature } from '../evm/createSignatureLedger.js'
import { contracts } from '../network.js'
import { standInAccount } from '../standInAccount.js'
import type { Answer } from './http.js'
import { getTerms } from './offerAuthorization.js'
import { applyEvent } from './progress.js'
import type { TestAuthorization, TestOrder, TestWorld } from './testWorld.js'
import { toUuid } from './toUuid.js'

/** Throws why a signature is refused, in the words of x402. */
const refuse = (reason: string, message: string): never => {
  throw new Refusal('unprocessable', message, { reason, message })
}

/** Identifies what was signed, however its addresses are written. */
const contentOf = ({ kind, payerAddress, domain, message, permit }: CreateAuthorizationBody): string =>
  canonicalJson({ kind, payerAddress, domain, message, permit: permit?.message }).toLowerCase()

/** Whether a signature is that of a test's wallet, whose key does not exist: what stands in for it signs. */
const isSigned = async (
  payer: ProposedTerms['payer'],
  data: TypedData,
  signature: string,
): Promise<boolean> => {
  if (!isHex(signature)) return false
  // The cast is deliberate: the typed data was written by the engine, so it agrees with its types.
  const signer = await recoverTypedDataAddress({ ...data, signature } as never).catch(() => undefined)
  return signer !== undefined && isAddressEqual(signer, standInAccount(payer).address)
}

/** Reads a signed payment of an order, and checks it as the chain would. */
const read = async (
  world: TestWorld,
  order: OrderState,
  body: CreateAuthorizationBody,
): Promise<{ terms: ProposedTerms; currency: string; signed: SignedAuthorization }> => {
  const { currency, ...terms } =
    getTerms(world, order) ??
    refuse('unsupported_scheme', `This shop sends no signed payments in ${order.payment.currency}`)
  const checked = readAuthorization(terms, body, world.now())
  if ('refused' in checked) return refuse(checked.refused.reason, checked.refused.message)
  const { typedData, permit }: PreparedAuthorization = writeAuthorization(terms)
  const signatures = [
    { data: typedData, signature: body.signature },
    ...(permit ? [{ data: permit, signature: body.permit?.signature ?? '' }] : []),
  ]
  for (const { data, signature } of signatures) {
    if (await isSigned(terms.payer, data, signature)) continue
    const reason =
      terms.kind === 'erc3009' ? 'invalid_exact_evm_payload_signature' : 'invalid_permit2_signature'
    refuse(reason, 'the signature is not the payer’s, or of other data')
  }
  return { terms, currency, signed: checked.authorization }
}

/** Reads from the chain what became of a signed payment. */
const statusOf = ({ chains }: TestWorld, { txId }: TestAuthorization): 'pending' | 'settled' | 'failed' => {
  const mined = chains.transactions().find(({ hash }) => hash === txId)?.mined
  if (!mined) return 'pending'
  return mined.isReverted ? 'failed' : 'settled'
}

const view = (world: TestWorld, { order }: TestOrder, authorization: TestAuthorization): Answer => {
  const { id: authorizationId, kind, payer: payerAddress, txId, createdAtMs } = authorization
  const body: Authorization = {
    authorizationId,
    orderId: order.orderId,
    kind,
    payerAddress,
    status: statusOf(world, authorization),
    txId,
    createdAt: new Date(createdAtMs).toISOString(),
  }
  return { status: 201, body }
}

/** Refuses a second signed payment of an order while another one may move money. */
const assertNoneAlive = (world: TestWorld, { order, authorizations }: TestOrder): void => {
  const isOpen = authorizations.some((one) => {
    const isSeen = order.payments.some(({ txId }) => txId === one.txId)
    return statusOf(world, one) !== 'failed' && !isSeen
  })
  if (isOpen)
    throw new Refusal('conflict', 'Another signed payment of this order is on its way: wait for its end')
}

/** Sends a signed payment: whoever sends it, the token's log names its payer. */
const settle = (world: TestWorld, { payment }: OrderState, terms: ProposedTerms): Hex => {
  const { kind, chainId, token, payer, recipient, units, nonce } = terms
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [recipient, units] })
  const transfer = { to: token, value: 0n, data }
  const settles: SettledSignature = {
    contract: kind === 'erc3009' ? token : permit2Address,
    owner: payer,
    nonce: BigInt(nonce),
    permitOf: kind === 'permit' ? token : undefined,
  }
  if (world.chains.signatures.isUsed(chainId, settles)) {
    const reason = kind === 'erc3009' ? 'invalid_exact_evm_nonce_already_used' : 'permit2_invalid_nonce'
    refuse(reason, 'the nonce is used or cancelled')
  }
  if (world.chains.bank.get({ chainId, owner: payer, token }, payment.decimals) < units) {
    refuse('insufficient_funds', `the payer holds less than the ${units} base units to pay`)
  }
  const operator = contracts.router
  const calls = [{ ...transfer, from: payer }]
  return world.chains.send(chainId, { ...transfer, from: operator }, { calls, settles, isSponsored: true })
}

/** Pays an order by what its buyer signed: once, however often the same is sent. */
export const createAuthorization = async (
  world: TestWorld,
  record: TestOrder,
  input: unknown,
): Promise<Answer> => {
  const body = parseInput(CreateAuthorizationBody, input, 'body')
  const content = contentOf(body)
  const find = () => record.authorizations.find((one) => one.content === content)
  const before = find()
  if (before) return view(world, record, before)
  const { terms, currency, signed } = await read(world, record.order, body)
  // Of two at once, the second finds the first.
  const known = find()
  if (known) return view(world, record, known)
  assertNoneAlive(world, record)
  const { chain } = record.order.payment
  const paid = { chain, currency, units: `${terms.units}`, minedAtMs: world.now() }
  if (!acceptsPayment(record.order, paid)) {
    throw new Refusal('conflict', 'The order takes no such payment now: read it again')
  }
  const txId = settle(world, record.order, terms)
  const { kind, payer } = signed
  const authorization = { id: toUuid(makeKey()), content, kind, payer, txId, createdAtMs: world.now() }
  record.authorizations.push(authorization)
  const atMs = world.now()
  applyEvent(world, record, { event: { type: 'payment-reported', txId }, atMs })
  return view(world, record, authorization)
}
