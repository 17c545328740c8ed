import { entryPoint08Address } from 'viem/account-abstraction'
import { getDeadlineMs, marginMs, notApproved } from '../../../engine/wallet/operationNonce.js'
import { evmChains } from '../../../schema/chains.js'
import { nameAddress } from '../nameAddress.js'
import type { CallTransaction, TestWorld, WalletTransaction } from '../testWorld.js'
import { describeRevert } from './describeRevert.js'
import { progressMessage } from './messages/sendMessage.js'

/** Who sends what smart wallets have signed. */
const bundler = nameAddress('bundler')

/** Sends what a wallet is to do to its chain, at the service's own expense. */
export const sendTransaction = ({ chains }: TestWorld, transaction: CallTransaction): void => {
  const { wallet, chain, failsWith } = transaction
  const { chainId } = evmChains[chain]
  const calls = transaction.calls.map((call) => ({ ...call, from: wallet.address }))
  const [only] = calls
  const terms = { isSponsored: true, failsWith }
  transaction.status = 'pending'
  transaction.sentAs =
    wallet.type === 'evm-mpc-wallet' && only
      ? chains.send(chainId, only, terms)
      : chains.send(
          chainId,
          { from: bundler, to: entryPoint08Address, value: 0n, data: '0x' },
          { ...terms, calls },
        )
}

/** Lets everything happen to a transaction that is due by now: it is in a block, then confirmed; or it is too late. */
export const progressTransaction = (world: TestWorld, transaction: WalletTransaction): void =>
  'message' in transaction ? progressMessage(world, transaction) : progressCalls(world, transaction)

const progressCalls = ({ chains, timings, now }: TestWorld, transaction: CallTransaction): void => {
  chains.mine()
  const { status, operation: made, sentAs } = transaction
  const deadlineMs = made && getDeadlineMs(made.operation)
  if (status === 'awaiting-approval' && deadlineMs !== undefined && now() >= deadlineMs + marginMs) {
    transaction.status = 'failed'
    transaction.completedAtMs = deadlineMs + marginMs
    transaction.error = notApproved
  }
  const mined = chains.transactions().find(({ hash }) => hash === sentAs)?.mined
  if (status !== 'pending' || !mined || mined.atMs + timings.confirmedMs > now()) return
  transaction.status = mined.isReverted ? 'failed' : 'success'
  transaction.completedAtMs = mined.atMs + timings.confirmedMs
  if (!mined.isReverted) return
  transaction.error = describeRevert(mined.revertData, transaction)
}
