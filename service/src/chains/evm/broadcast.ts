import type { PublicClient } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Database } from '../../db/database.js'
import type { Log } from '../../deps.js'
import { replaceStuck } from './replaceStuck.js'
import { reopenSigned, type SignedTransaction, signedFrom, toHex } from './signed.js'

/** Whose transactions on which chain, and where they are written down. */
export type BroadcastOptions = {
  db: Database
  log: Log
  client: PublicClient
  account: PrivateKeyAccount
  chain: string
  /** The most that is offered for a unit of gas, in wei; without it, whatever the chain asks for. */
  maxFeePerGas: bigint | undefined
}

/** For how long after its signing somebody waits for a transaction and sends it again. */
const waitedForMs = 60_000

/** Sends what was signed, as often as it takes: the nonce makes every sending but one harmless. */
export const createBroadcast = (options: BroadcastOptions) => {
  const { db, log, client, account, chain } = options
  const send = async (signed: SignedTransaction): Promise<void> => {
    try {
      await client.request({ method: 'eth_sendRawTransaction', params: [toHex(signed.signedTransaction)] })
    } catch (err) {
      // A node refuses what it already has: then the receipt tells. What it never had is sent again later.
      if (!(err instanceof Error && 'code' in err)) throw err
      log.warn({ chain, key: signed.key, txId: signed.txId, err }, 'the node refused a transaction')
    }
  }

  const findMissing = async (): Promise<SignedTransaction[]> => {
    const nonce = await client.getTransactionCount({ address: account.address, blockTag: 'latest' })
    return signedFrom(db, { chain, sender: account.address, nonce })
  }

  const sendMissing = async (): Promise<void> => {
    for (const [at, signed] of (await findMissing()).entries()) {
      await reopenSigned(db, signed.key)
      // The others wait for the first one.
      await send(at === 0 ? await replaceStuck(options, { ...signed, status: 'signed' }) : signed)
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
