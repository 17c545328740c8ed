import type { CheckedSolanaPayment, PaymentAttempt, SolanaPaymentAttempt } from '../../chain/index.js'
import { checkSolanaPayment } from '../../chain/solana/checkSolanaPayment.js'
import { createSolanaRequest } from '../../chain/solana/createSolanaRequest.js'
import { findSolanaToken, type SolanaRules, solDecimals } from '../../chain/solana/tokens.js'
import { toBase64 } from '../../chain/solana/transaction.js'
import type { PayStep } from '../../engine/payment/payStep.js'
import { programs } from '../../engine/solana/orderAccounts.js'
import { payError } from '../../errors/payError.js'
import { fromBaseUnits } from '../../schema/baseUnits.js'
import type { CheckedFacts } from '../event.js'
import type { PaymentFamily, PaymentWallet, PreparedPayment } from '../family.js'
import type { SolanaPayments } from '../solanaPayments.js'
import { askWallet, getLastBlockHeight, readRefusal } from './askWallet.js'
import type { Connected, ConnectedWallets } from './createWallets.js'
import { findPayment } from './findPayment.js'
import { followTransaction, pollMs } from './followTransaction.js'
import { openNode } from './node.js'
import { type Simulation, simulatePayment } from './simulatePayment.js'

/** What paying on Solana needs of an app. */
export type SolanaFamilyParameters = {
  rpcUrl: string
  fetch?: typeof fetch | undefined
  wallets: ConnectedWallets
  rules: SolanaRules
  /** The cluster, such as `solana:mainnet`. */
  chain: string
}

const toFacts = (
  { recipient, currency, units, token }: CheckedSolanaPayment,
  { slot }: Simulation,
): CheckedFacts => ({
  chain: 'solana',
  chainId: undefined,
  to: token ? programs.token : programs.system,
  recipient,
  amount: { amount: fromBaseUnits(units, token?.decimals ?? solDecimals), currency },
  token: token?.address,
  gas: undefined,
  simulatedAtBlock: String(slot),
})

const checkWallet = ({ account }: Connected, payerAddress: string, chain: string): void => {
  if (account.address !== payerAddress) {
    throw payError('pay.wrong-account', { expected: payerAddress, connected: account.address })
  }
  if (!account.chains.includes(chain)) throw payError('pay.wrong-chain', { expected: 'solana' })
}

const readTerms = ({ payerAddress, recipient, reference, units, token }: CheckedSolanaPayment): string =>
  [payerAddress, recipient, reference, units, token?.address].join(' ')

/** An attempt of this family; `openFamily` chooses by it. */
const asSolana = (attempt: PaymentAttempt): SolanaPaymentAttempt => attempt as SolanaPaymentAttempt

/** Opens Solana for payments, and for reading balances. */
export const openSolana = ({
  rpcUrl,
  fetch,
  wallets,
  rules,
  chain,
}: SolanaFamilyParameters): PaymentFamily & Pick<SolanaPayments, 'getBalance'> => {
  const node = openNode(rpcUrl, fetch)

  const getWallet = async (
    { payerAddress, message, recipient }: CheckedSolanaPayment,
    { slot, lastBlockHeight }: Simulation,
  ): Promise<PaymentWallet> => {
    const connected = await wallets.getConnected()
    checkWallet(connected, payerAddress, chain)
    return {
      createAttempt: (fields): SolanaPaymentAttempt => ({
        ...fields,
        family: 'solana',
        payerAddress,
        message: toBase64(message),
        recipient,
        fromSlot: String(slot),
        lastBlockHeight: String(getLastBlockHeight(connected, lastBlockHeight)),
      }),
      open: async () => (isWanted) => askWallet(node, { connected, message, chain, isWanted }),
      readRefusal,
    }
  }

  const prepare = async (
    payment: CheckedSolanaPayment,
    setStep: (step: PayStep) => void,
  ): Promise<PreparedPayment> => {
    // Only a step that takes a moment, because a screen reader would announce a text that disappears at once.
    if (wallets.getState().status !== 'connected') setStep({ status: 'connecting' })
    const connected = await wallets.getConnected()
    setStep({ status: 'checking' })
    checkWallet(connected, payment.payerAddress, chain)
    const simulation = await simulatePayment(node, payment)
    return {
      facts: toFacts(payment, simulation),
      getWallet: () => getWallet(payment, simulation),
    }
  }

  return {
    getBalance: async (address, currency) => {
      const token = findSolanaToken(rules, currency)
      return token
        ? { units: await node.getTokenBalance(address, token.address), decimals: token.decimals }
        : { units: await node.getBalance(address), decimals: solDecimals }
    },
    check: (order) => {
      const payment = checkSolanaPayment(order, rules)
      return {
        payment,
        identity: toBase64(payment.message),
        terms: readTerms(payment),
        prepare: (setStep) => prepare(payment, setStep),
      }
    },
    request: (order) => createSolanaRequest(order, rules),
    canReach: () => true,
    find: (attempt) => findPayment(node, asSolana(attempt)),
    follow: (attempt, listener) =>
      followTransaction(node, { ...asSolana(attempt), txId: attempt.txId }, listener),
    isGone: async (_, txId) => (await node.getStatus(txId)) === undefined,
    hasSpeedUp: false,
    pollMs: () => pollMs,
  }
}
