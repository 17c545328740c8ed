import type { Config } from 'wagmi'
import { checkAuthorization, findAuthorizationKind } from '../../../chain/evm/checkAuthorization.js'
import { isRejection } from '../../../chain/evm/isRejection.js'
import { classifyWalletError } from '../../../chain/evm/walletError.js'
import type { CheckedAuthorization, EvmPaymentAttempt, PaymentAttempt } from '../../../chain/index.js'
import { type ProposedTerms, writeAuthorization } from '../../../engine/evm/authorization.js'
import type { PayStep } from '../../../engine/payment/payStep.js'
import { isKassaError, type KassaError } from '../../../errors/KassaError.js'
import { payError } from '../../../errors/payError.js'
import { isSponsored } from '../../../order/payment.js'
import type { CreateAuthorizationBody, TypedData } from '../../../schema/authorization.js'
import type { Order } from '../../../schema/index.js'
import type { Answer, CheckedOrder, PaymentFamily, PaymentWallet, PreparedPayment } from '../../family.js'
import type { AuthorizationAccess } from '../../payContext.js'
import { openEvm, prepareWallet, toFacts } from '../openEvm.js'
import { openWallet, type WalletClient } from '../sendPayment.js'
import { checkWallet, getWallet, type Wallet } from '../wallet.js'
import { findAuthorization, followAuthorization } from './followAuthorization.js'
import { type AuthorizationSimulation, simulateAuthorization } from './simulateAuthorization.js'

const failed = (reason: string, cause?: unknown): KassaError =>
  payError('pay.wallet-failed', { reason }, { cause })

/**
 * Asks the wallet for one signature, once. A wallet that only signs has sent nothing, whatever it answers.
 *
 * @throws {@link KassaError} `pay.rejected`, `pay.wallet-failed`.
 */
const sign = async (client: WalletClient, { account }: Wallet, typedData: TypedData): Promise<string> => {
  const text = JSON.stringify(typedData)
  const answer: unknown = await client
    .request({ method: 'eth_signTypedData_v4', params: [account, text] }, { retryCount: 0 })
    .catch((cause: unknown) => {
      throw isRejection(cause) ? payError('pay.rejected', {}, { cause }) : failed('it signed nothing', cause)
    })
  if (typeof answer === 'string' && /^0x(?:[0-9a-f]{2})+$/i.test(answer)) return answer
  throw failed('it answered without a signature')
}

/** A wallet that is on the right account and chain, and what it is asked to sign. */
type Asked = { client: WalletClient; wallet: Wallet; terms: ProposedTerms; setStep(step: PayStep): void }

/**
 * Asks the wallet for every signature of a payment, one after the other.
 *
 * @param isWanted - Whether the payment may still be sent, however late the wallet answers.
 */
const signAll = async (
  { client, wallet, terms, setStep }: Asked,
  isWanted: () => boolean,
): Promise<CreateAuthorizationBody> => {
  const { typedData, permit } = writeAuthorization(terms)
  const texts = permit ? [permit, typedData] : [typedData]
  const signatures: string[] = []
  for (const [index, text] of texts.entries()) {
    const part = { number: index + 1, count: texts.length }
    if (permit) setStep({ status: 'awaiting-signature', part })
    signatures.push(await sign(client, wallet, text))
    // Meanwhile the order may be paid otherwise, or the buyer may have started another payment.
    if (!isWanted()) throw failed('it answered too late')
  }
  const [signature = '', permitSignature = ''] = signatures.reverse()
  const { domain, message } = typedData
  const signed = { kind: terms.kind, payerAddress: terms.payer, domain, message, signature }
  return permit
    ? { ...signed, permit: { domain: permit.domain, message: permit.message, signature: permitSignature } }
    : signed
}

const getPaymentWallet = async (
  config: Config,
  { payment }: CheckedAuthorization,
  { terms, isContractWallet, blockNumber, setStep }: AuthorizationSimulation & Pick<Asked, 'setStep'>,
): Promise<PaymentWallet> => {
  const wallet = await getWallet(config)
  checkWallet(wallet, payment)
  const { kind, nonce, validBefore } = terms
  const authorization = { id: `authorization:${nonce}`, kind, nonce, validBefore: `${validBefore}` }
  return {
    createAttempt: (fields): EvmPaymentAttempt => ({
      ...fields,
      chainId: payment.chainId,
      payerAddress: wallet.account,
      to: payment.to,
      data: payment.data,
      valueWei: String(payment.valueWei),
      fromBlock: String(blockNumber),
      authorization,
      ...(isContractWallet && { isContractWallet }),
    }),
    open: async () => {
      const client = await openWallet(config, wallet, payment).catch((cause: unknown) => {
        throw classifyWalletError(cause, payment.chain)
      })
      return async (isWanted): Promise<Answer> => {
        const signed = await signAll({ client, wallet, terms, setStep }, isWanted)
        return { txId: authorization.id, authorization: { ...authorization, signed } }
      }
    },
    readRefusal: (cause) => (isKassaError(cause) ? cause : undefined),
  }
}

const prepare = async (
  config: Config,
  checked: CheckedAuthorization,
  setStep: (step: PayStep) => void,
): Promise<PreparedPayment> => {
  await prepareWallet(config, checked.payment, setStep)
  const simulation = await simulateAuthorization(config, checked)
  return {
    facts: { ...toFacts(checked.payment, simulation), authorization: simulation.terms.kind },
    getWallet: () => getPaymentWallet(config, checked, { ...simulation, setStep }),
  }
}

const write = (value: unknown): string =>
  JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `${inner}` : inner))

const toCheckedOrder = (config: Config, checked: CheckedAuthorization): CheckedOrder => {
  const { nonce: _ofQuote, validBefore: _untilWhen, ...terms } = checked.terms
  return {
    payment: checked.payment,
    identity: write(checked.terms),
    terms: write(terms),
    prepare: (setStep) => prepare(config, checked, setStep),
  }
}

/** An attempt of this family; `openFamily` chooses by it. */
const asEvm = (attempt: PaymentAttempt): EvmPaymentAttempt => attempt as EvmPaymentAttempt

/** Whether an order can be paid by a signature of a kind that this version knows. */
const isSignable = (order: Order): boolean => isSponsored(order) && findAuthorizationKind(order) !== undefined

/**
 * Opens the payments on EVM chains that the payer signs and the shop sends. An order that does not offer one any more is
 * paid by a transaction.
 */
export const openAuthorizations = (parameters: AuthorizationAccess): PaymentFamily => {
  const { config, rules = {}, now } = parameters
  const evm = openEvm(parameters)
  return {
    ...evm,
    check: (order) =>
      isSignable(order) ? toCheckedOrder(config, checkAuthorization(order, rules, now())) : evm.check(order),
    find: (attempt) => findAuthorization(parameters, asEvm(attempt)),
    follow: (attempt, listener) =>
      followAuthorization(parameters, { ...asEvm(attempt), txId: attempt.txId }, listener),
    hasSpeedUp: false,
  }
}
