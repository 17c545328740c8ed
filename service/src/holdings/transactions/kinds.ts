import { assertWalletSigner, readParams } from 'kassa/engine'
import type { EvmMpcWalletParams, EvmSmartWalletParams, Transaction, TransactionChain } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Deps } from '#base/deps.js'
import { checkInput } from '#base/errors.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { WalletRow } from '#identity/wallets/findWallet.js'
import { requireCalls, requireMessages, requireOperations, requirePrograms } from './actingWallet.js'
import { type SendRun, sendCalls } from './calls/sendCalls.js'
import { createMessage, createProgramMessage } from './messages/createMessage.js'
import { sendMessages, sendProgramMessages } from './messages/sendMessages.js'
import type { NonceChannel } from './nonceChannels.js'
import { sendOperations } from './operations/sendOperations.js'
import { startTransaction } from './startTransaction.js'

/** An encoded call of a contract that takes no coins. */
type PlainCall = { to: string; value: '0'; data: string }

/** What the transactions of a type of wallet are. Its other traits are in `identity/wallets/kinds.ts`. */
type TransactionKind = {
  /** Creates a transaction from the body of a request: each type has a form of its own. */
  create: (deps: Deps, call: Call, input: { wallet: WalletRow; body: unknown }) => Promise<Transaction>
  /** Sends the pending transactions of a wallet on a chain, in order, until none are left. */
  sendPending: (
    deps: Deps,
    on: { wallet: WalletRow; chain: ChainPort; run: SendRun },
    channel: NonceChannel,
  ) => Promise<void>
  /** Whether the owner can send what it has signed, without the service. */
  isSentByOwner: boolean
  /** Writes the parameters of one call on an EVM chain. Absent where wallets do not act by calls. */
  paramsOf?: (chain: TransactionChain, call: PlainCall) => EvmSmartWalletParams | EvmMpcWalletParams
}

const kinds: Readonly<Record<WalletRow['type'], TransactionKind>> = {
  'evm-smart-wallet': {
    create: async (deps, call, { wallet, body }) => {
      const params = checkInput(() => readParams('evm-smart-wallet', body))
      checkInput(() => assertWalletSigner(params.signer, wallet.adminSigner.locator))
      return startTransaction(deps, call, { wallet, params })
    },
    sendPending: (deps, { wallet, chain }, channel) =>
      sendOperations(deps, { wallet, port: requireOperations(chain) }, channel),
    isSentByOwner: true,
    paramsOf: (chain, call) => ({ chain, calls: [call] }),
  },
  'evm-mpc-wallet': {
    create: async (deps, call, { wallet, body }) =>
      startTransaction(deps, call, { wallet, params: checkInput(() => readParams('evm-mpc-wallet', body)) }),
    sendPending: (deps, { wallet, chain, run }, channel) =>
      sendCalls(deps, { wallet, port: requireCalls(chain), run }, channel),
    isSentByOwner: false,
    paramsOf: (chain, call) => ({ chain, call }),
  },
  'solana-mpc-wallet': {
    create: async (deps, call, { wallet, body }) =>
      createMessage(deps, call, { wallet, params: checkInput(() => readParams('solana-mpc-wallet', body)) }),
    sendPending: (deps, { wallet, chain }, channel) =>
      sendMessages(deps, { wallet, port: requireMessages(chain) }, channel),
    isSentByOwner: false,
  },
  'solana-smart-wallet': {
    create: createProgramMessage,
    sendPending: (deps, { wallet, chain }, channel) =>
      sendProgramMessages(deps, { wallet, port: requirePrograms(chain) }, channel),
    isSentByOwner: false,
  },
}

/** Returns what the transactions of a wallet are, by its type. */
export const transactionKindOf = ({ type }: Pick<WalletRow, 'type'>): TransactionKind => kinds[type]
