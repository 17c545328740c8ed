import type { Hex, PublicClient } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Database } from '../../db/database.js'
import type { Log } from '../../deps.js'
import { reopenSigned, type SignedTransaction, signedFrom } from './signed.js'

/** Whose transactions on which chain, and where they are written down. */
export type BroadcastOptions = {
  db: Database
  log: Log
  client: PublicClient
  account: PrivateKeyAccount
  chain: string
}

/** Sends what was signed, as often as it takes: the nonce makes every sending but one harmless. */
export const createBroadcast = ({ db, log, client, account, chain }: BroadcastOptions) => {
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
    for (const signed of await findMissing()) {
      await reopenSigned(db, signed.key)
      await send(signed)
    }
  }

  return {
    send,
    /** Sends again, in order, whatever the chain does not have. */
    sendMissing,
    /** Does so only where the chain has lost what had ended: all else is being waited for. */
    sendLost: async (): Promise<void> => {
      if ((await findMissing()).some(({ status }) => status !== 'signed')) await sendMissing()
    },
  }
}

/** Hex digits as the database keeps them, with their prefix. */
export const toHex = (text: string): Hex => `0x${text.replace(/^0x/, '')}`
