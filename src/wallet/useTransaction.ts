'use client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useContext, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { WagmiContext } from 'wagmi'
import type { Client } from '../api/index.js'
import { hasTransactionEnded } from '../api/waitForTransaction.js'
import type { AttemptStorage } from './attempt.js'
import type { FeeTerms } from './operationFee.js'
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
  /** `me:<walletType>` of whoever is signed in, through the shop's own handler. */
  walletLocator: WalletLocator
  /** Of one that is there: see {@link FollowTransactionParameters}. */
  transactionId?: undefined
  /**
   * Tells apart what a page sends at once: with a button for each token, the token's `locator`. Components that give
   * the same name share one transaction.
   */
  name?: string | undefined
  /** The domain that the user's passkeys were made for; the page's own by default. */
  rpId?: string | undefined
  /**
   * What the app agrees to for fees: who else may pay them, and how much a wallet may. By default only the wallet
   * itself or the service pays, and at most several times what the calls cost by the app's own node, that of the wagmi
   * config.
   */
  terms?: FeeTerms | undefined
  /** Where an attempt is kept for a reload: the tab's `sessionStorage` by default. */
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
  /** Where the transaction stands. */
  step: TransactionStep
  /**
   * Creates a transaction, and has it approved where that is the user's to do. A call while one is under way joins it.
   * It never rejects: the step tells.
   *
   * @returns Once the service has taken it, or it failed; that it is final, the step tells.
   */
  send(params: SendParams): Promise<void>
  /** Has a transaction approved that waits for it: after a reload, or after it was declined. It never rejects. */
  approve(): Promise<void>
  /** Clears what is shown, so that another can be sent. It does nothing while one is under way. */
  reset(): void
}

/** What {@link useTransaction} returns for a transaction that is there: nothing to send with. */
export type FollowTransactionResult = Pick<UseTransactionResult, 'step' | 'approve' | 'reset'>

const idle: SendingState = { status: 'idle' }
const now = (): number => Date.now()
const getServerState = (): SendingState => idle

/**
 * Has a wallet do something, and follows it until it is final. A wallet of the service's own keeping sends by itself;
 * for another its signer is asked at once: an account by the connected wallet, which has to be on it, a passkey by the
 * browser. After a reload it takes up where it was, and nothing is sent twice.
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
 * Follows a transaction that is there, whoever created it, and has it approved if it waits for that. Nothing else is
 * sent.
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
  // Without wagmi there are passkeys and the service's own wallets still.
  const config = useContext(WagmiContext)
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
  // What is kept from before is not this user's: somebody else has signed in.
  const isForeign = transactionId === undefined && error?.code === 'api.not-found'
  useEffect(() => {
    if (isForeign) sending.reset()
  }, [sending, isForeign])
  // Terms are often written where the hook is called, and would be others at every render.
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
