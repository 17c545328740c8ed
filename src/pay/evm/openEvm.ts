import { isHash, TransactionReceiptNotFoundError } from 'viem'
import { getTransactionReceipt } from 'viem/actions'
import type { Config } from 'wagmi'
import { getAccount } from 'wagmi/actions'
import { checkPayment, nativeDecimals } from '../../chain/evm/checkPayment.js'
import { createTransferRequest } from '../../chain/evm/createTransferRequest.js'
import { classifyWalletError, isRefusal } from '../../chain/evm/walletError.js'
import type { CheckedPayment, EvmPaymentAttempt, PaymentAttempt } from '../../chain/index.js'
import type { PayStep } from '../../engine/payment/payStep.js'
import { payError } from '../../errors/payError.js'
import { fromBaseUnits } from '../../schema/baseUnits.js'
import type { CheckedFacts } from '../event.js'
import type { PaymentFamily, PaymentWallet, PreparedPayment } from '../family.js'
import type { PaymentParameters } from '../payContext.js'
import { findPayment } from './findPayment.js'
import { followTransaction } from './followTransaction.js'
import { getNode, hasNode } from './node.js'
import { openWallet, sendPayment } from './sendPayment.js'
import { type Simulation, simulatePayment } from './simulatePayment.js'
import { checkWallet, getWallet, switchWallet } from './wallet.js'

/** Returns what an app's analytics may know of a payment. */
export const toFacts = (
  { chain, chainId, to, recipient, currency, units, token }: CheckedPayment,
  { gas, blockNumber }: Simulation,
): CheckedFacts => ({
  chain,
  chainId,
  to,
  recipient,
  amount: { amount: fromBaseUnits(units, token?.decimals ?? nativeDecimals), currency },
  token: token?.address,
  gas: gas?.toString(),
  simulatedAtBlock: String(blockNumber),
})

const getPaymentWallet = async (
  config: Config,
  payment: CheckedPayment,
  { gas, isContractWallet, blockNumber }: Simulation,
): Promise<PaymentWallet> => {
  const wallet = await getWallet(config)
  checkWallet(wallet, payment)
  return {
    createAttempt: (fields): EvmPaymentAttempt => ({
      ...fields,
      chainId: payment.chainId,
      payerAddress: wallet.account,
      to: payment.to,
      data: payment.data,
      valueWei: String(payment.valueWei),
      fromBlock: String(blockNumber),
      ...(isContractWallet && { isContractWallet }),
    }),
    open: async () => {
      const client = await openWallet(config, wallet, payment).catch((cause: unknown) => {
        throw classifyWalletError(cause, payment.chain)
      })
      return () => sendPayment(client, wallet, { ...payment, gas })
    },
    readRefusal: (cause) => (isRefusal(cause) ? classifyWalletError(cause, payment.chain) : undefined),
  }
}

/**
 * Connects the wallet, and switches it to the payment's chain.
 *
 * @throws {@link KassaError} `pay.not-connected`, `pay.wrong-account`, `pay.wrong-chain`, `pay.chain-not-configured`.
 */
export const prepareWallet = async (
  config: Config,
  payment: CheckedPayment,
  setStep: (step: PayStep) => void,
): Promise<void> => {
  // Only a step that takes a moment, because a screen reader would announce a text that disappears at once.
  if (getAccount(config).status !== 'connected') setStep({ status: 'connecting' })
  const found = await getWallet(config)
  if (found.chainId !== payment.chainId) setStep({ status: 'switching-chain', chain: payment.chain })
  const wallet = await switchWallet(config, found, payment)
  setStep({ status: 'checking' })
  checkWallet(wallet, payment)
}

/** Prepares the wallet for the payment, and simulates it. */
const prepare = async (
  config: Config,
  payment: CheckedPayment,
  setStep: (step: PayStep) => void,
): Promise<PreparedPayment> => {
  await prepareWallet(config, payment, setStep)
  const simulation = await simulatePayment(config, payment)
  return {
    facts: toFacts(payment, simulation),
    getWallet: () => getPaymentWallet(config, payment, simulation),
  }
}

const identify = ({ chainId, to, valueWei, data, payerAddress }: CheckedPayment): string =>
  [chainId, to, valueWei, data, payerAddress].join(' ')

const readTerms = ({ chainId, to, valueWei, recipient, units, payerAddress }: CheckedPayment): string =>
  [chainId, to, valueWei, recipient, units, payerAddress].join(' ')

/** An attempt of this family; `openFamily` chooses by it. */
const asEvm = (attempt: PaymentAttempt): EvmPaymentAttempt => attempt as EvmPaymentAttempt

/** Opens the EVM chains of the app's wagmi configuration. */
export const openEvm = ({
  config,
  rules = {},
  now,
}: Pick<PaymentParameters, 'config' | 'rules' | 'now'>): PaymentFamily => ({
  check: (order) => {
    const payment = checkPayment(order, rules)
    return {
      payment,
      identity: identify(payment),
      terms: readTerms(payment),
      prepare: (setStep) => prepare(config, payment, setStep),
    }
  },
  request: (order) => {
    const request = createTransferRequest(order, rules)
    const { chain, chainId } = request ?? {}
    if (chain !== undefined && (chainId === undefined || !hasNode(config, chainId))) {
      throw payError('pay.chain-not-configured', { chain })
    }
    return request
  },
  canReach: (attempt) => hasNode(config, asEvm(attempt).chainId),
  find: (attempt) => findPayment(config, asEvm(attempt)),
  follow: (attempt, listener) =>
    followTransaction({ config, now }, { ...asEvm(attempt), txId: attempt.txId }, listener),
  isGone: async (attempt, hash) =>
    isHash(hash) &&
    getTransactionReceipt(getNode(config, asEvm(attempt).chainId), { hash }).then(
      () => false,
      (error) => error instanceof TransactionReceiptNotFoundError,
    ),
  hasSpeedUp: true,
  pollMs: (attempt) => getNode(config, asEvm(attempt).chainId).pollingInterval,
})
