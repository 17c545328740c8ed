'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { Client } from '../api/index.js'
import { hasTransactionEnded } from '../api/waitForTransaction.js'
import { useWagmiConfig } from '../hooks/evm/wagmiConfig.js'
import type { AttemptStorage } from './attempt.js'
import type { FeeTerms } from './evm/operationFee.js'
import type { WalletLocator } from './readOptions.js'
import { getSending } from './sending.js'
import { transactionQueryOptions } from './transaction.js'
import {
  type SendingState,
  type SendParams,
  type TransactionStep,
  toTransactionStep,
} from './transactionStep.js'
import { useWalletClient } from './useWalletClient.js'

/** Parameters of {@link useTransaction} to send. */
export type UseTransactionParameters = {
  /** `me:<walletType>` for the signed-in user, through the shop's own handler. */
  walletLocator: WalletLocator
  /** For an existing transaction, see {@link FollowTransactionParameters}. */
  transactionId?: undefined
  /**
   * Distinguishes what a page sends at the same time: with a button for each token, the token's `locator`.
   * Components with the same name share one transaction.
   */
  name?: string | undefined
  /** The domain of the user's passkeys. By default the page's own. */
  rpId?: string | undefined
  /**
   * The fees the app agrees to: who else may pay them, and how much a wallet may pay. By default only the
   * wallet or the service pays, and at most several times what the calls cost according to the app's own
   * node, from the wagmi config.
   */
  terms?: FeeTerms | undefined
  /** Where an attempt is stored for a reload. By default the tab's `sessionStorage`. */
  storage?: AttemptStorage | undefined
  /** The client of the shop's wallet handler. By default that of `WalletProvider`. */
  client?: Client | undefined
}

/** Parameters of {@link useTransaction} to follow a transaction that is there. */
export type FollowTransactionParameters = Pick<
  UseTransactionParameters,
  'walletLocator' | 'rpId' | 'client' | 'terms'
> & { transactionId: string }

/** Result of {@link useTransaction}. */
export type UseTransactionResult = {
  /** The transaction's step. */
  step: TransactionStep
  /**
   * Creates a transaction, and gets it approved if the user must approve it. A call during another joins it.
   * Never rejects; the step shows the outcome.
   *
   * @returns Resolves once the service has accepted it or it failed. The step shows when it is final.
   */
  send(params: SendParams): Promise<void>
  /**
   * Gets a transaction that awaits approval approved: after a reload, or after it was declined. Never
   * rejects.
   */
  approve(): Promise<void>
  /** Clears the state, so that another transaction can be sent. Does nothing while one is in progress. */
  reset(): void
}

/** Result of {@link useTransaction} for an existing transaction. It cannot send. */
export type FollowTransactionResult = Pick<UseTransactionResult, 'step' | 'approve' | 'reset'>

const idle: SendingState = { status: 'idle' }
const now = (): number => Date.now()
const getServerState = (): SendingState => idle

/**
 * Sends a transaction from a wallet and tracks it to finality. A wallet whose key the service keeps sends at
 * once. For another, its signer is asked at once: an account through the connected wallet, which must have
 * that account selected, or a passkey through the browser. After a reload it resumes, and nothing is sent
 * twice.
 *
 * @param parameters - `walletLocator`, and a `name` where a page sends several things.
 * @source interface.md "Transaction `status`"; answers.md "Wallets and transactions"
 * @example
 * ```tsx
 * import { contractCall, useTransaction } from 'kassa/wallet'
 * import { erc20Abi } from 'viem'
 *
 * export function Tip({ token, to }: { token: string; to: `0x${string}` }) {
 *   const { step, send } = useTransaction({ walletLocator: 'me:evm-smart-wallet', name: `tip ${to}` })
 *   const call = contractCall({ address: token, abi: erc20Abi, functionName: 'transfer', args: [to, 5_000_000n] })
 *   return (
 *     <button onClick={() => send({ chain: 'base-sepolia', calls: [call] })}>
 *       {step.status === 'failed' ? step.error.message : step.status}
 *     </button>
 *   )
 * }
 * ```
 */
export function useTransaction(parameters: UseTransactionParameters): UseTransactionResult
/**
 * Follows an existing transaction of any creator, and gets it approved if it awaits that. It cannot send
 * another.
 *
 * @param parameters - `walletLocator` and `transactionId`.
 */
export function useTransaction(parameters: FollowTransactionParameters): FollowTransactionResult
export function useTransaction({
  walletLocator,
  transactionId,
  rpId,
  terms,
  client: given,
  ...rest
}: UseTransactionParameters | FollowTransactionParameters): UseTransactionResult {
  const client = useWalletClient(given, 'useTransaction')
  // Without wagmi, passkeys and the service's own wallets still work.
  const config = useWagmiConfig()
  const queryClient = useQueryClient()
  const sending = getSending({ queryClient, client, walletLocator, transactionId, now, ...rest })
  const state = useSyncExternalStore(sending.subscribe, sending.getState, getServerState)
  const id = 'transactionId' in state ? state.transactionId : undefined
  const { data, error } = useQuery(
    transactionQueryOptions(client, {
      walletLocator,
      transactionId: id ?? '',
      query: { enabled: id !== undefined },
    }),
  )
  const step = useMemo(() => toTransactionStep(state, data, error), [state, data, error])
  useEffect(() => sending.resume(), [sending])
  const hasEnded = data !== undefined && hasTransactionEnded(data)
  useEffect(() => {
    if (hasEnded && id !== undefined) sending.settle(id)
  }, [sending, hasEnded, id])
  // The stored state belongs to another user, who was signed in before.
  const isForeign = transactionId === undefined && error?.code === 'api.not-found'
  useEffect(() => {
    if (isForeign) sending.reset()
  }, [sending, isForeign])
  // Terms are often written inline and would change at every render.
  const current = useRef(terms)
  useEffect(() => {
    current.current = terms
  })
  const send = useCallback(
    async (params: SendParams) => void (await sending.send(params, { config, rpId, terms: current.current })),
    [sending, config, rpId],
  )
  const approve = useCallback(
    async () => void (await sending.approve({ config, rpId, terms: current.current })),
    [sending, config, rpId],
  )
  return useMemo(() => ({ step, send, approve, reset: sending.reset }), [step, send, approve, sending])
}
