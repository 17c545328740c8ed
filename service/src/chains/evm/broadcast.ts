import { type Address, BaseError, type PublicClient } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Database } from '../../db/database.js'
import type { Log } from '../../deps.js'
import { isAbandoned } from './abandonSigned.js'
import { createRefusalCount } from './createRefusalCount.js'
import { reopenSigned } from './reopenSigned.js'
import type { PricedCall } from './signCall.js'
import { type SignedTransaction, signedFrom, toHex } from './signed.js'

/** Whose transactions on which chain, and where they are written down. */
export type BroadcastOptions = {
  db: Database
  log: Log
  client: PublicClient
  account: PrivateKeyAccount
  chain: string
  /** The most that is offered for a unit of gas, in wei; without it, whatever the chain asks for. */
  maxFeePerGas: bigint | undefined
  /**
   * Sees to it that the account can pay for what is about to be signed under a key, for the how manieth time.
   *
   * @returns Why it cannot, if it will not be able to by itself.
   */
  afford?: ((key: string, call: PricedCall, attempt: number) => Promise<string | undefined>) | undefined
}

/** What it takes to send again what a sender has signed: not its key. */
export type SenderOptions = Pick<BroadcastOptions, 'db' | 'log' | 'client' | 'chain'> & {
  sender: Address
  /**
   * Signs the one that holds up all others once more, where that helps.
   *
   * @param refusal - Why the node will never take it, once it has said so often.
   */
  renew?: (first: SignedTransaction, refusal: string | undefined) => Promise<SignedTransaction>
}

/** For how long after its signing somebody waits for a transaction and sends it again. */
export const waitedForMs = 60_000

/** Sends what was signed, as often as it takes: the nonce makes every sending but one harmless. */
export const createBroadcast = (options: SenderOptions) => {
  const { db, log, client, chain, sender, renew = async (first) => first } = options
  const refusals = createRefusalCount()
  const send = async (signed: SignedTransaction): Promise<void> => {
    try {
      await client.request({ method: 'eth_sendRawTransaction', params: [toHex(signed.signedTransaction)] })
      refusals.clear(signed.txId)
    } catch (err) {
      // A node refuses what it already has: then the receipt tells. What it never had is sent again later.
      if (!(err instanceof Error && 'code' in err)) throw err
      if (err instanceof BaseError) refusals.note(signed.txId, err.details)
      log.warn({ chain, key: signed.key, txId: signed.txId, err }, 'the node refused a transaction')
    }
  }

  const readNonce = (): Promise<number> => client.getTransactionCount({ address: sender, blockTag: 'latest' })

  const findMissing = async (): Promise<SignedTransaction[]> => {
    const nonce = await readNonce()
    const signed = (await signedFrom(db, { chain, sender, nonce })).filter((each) => !isAbandoned(each))
    if (signed.every(({ status }) => status === 'signed')) return signed
    // What has ended may have landed after the question.
    const nonceNow = await readNonce()
    return signed.filter((each) => each.nonce >= nonceNow)
  }

  const sendMissing = async (): Promise<void> => {
    for (const [at, missing] of (await findMissing()).entries()) {
      const signed = missing.status === 'signed' ? missing : await reopenSigned(db, missing)
      if (!signed) continue
      // The others wait for the first one.
      const isFirst = at === 0
      await send(isFirst ? await renew(signed, refusals.find(signed.txId)) : signed)
    }
  }

  return {
    send,
    /** Sends again, in order, whatever the chain does not have. */
    sendMissing,
    /**
     * Does so only where the chain has lost what had ended, or lacks what is old: all else is being waited for. Of
     * what was lost once, a node may have refused the sending.
     */
    sendLost: async (): Promise<void> => {
      const oldMs = Date.now() - waitedForMs
      const isAlone = ({ status, createdAt }: SignedTransaction): boolean =>
        status !== 'signed' || createdAt.getTime() < oldMs
      if ((await findMissing()).some(isAlone)) await sendMissing()
    },
  }
}
