import { generateKeyPairSync, sign as signBytes } from 'node:crypto'
import { encodeBase58 } from '../../src/engine/solana/base58.js'
import type { StandardAccount, StandardWallet } from '../../src/pay/solana/walletStandard.js'

/** A payment that a wallet is asked for. */
export type SolanaAsk = {
  /** The message to sign. */
  message: Uint8Array
  /** Signs a message, and returns the transaction. */
  sign(message: Uint8Array): Uint8Array
  /** Sends a transaction through the wallet's own node. */
  send(transaction: Uint8Array): Promise<void>
}

/** Returns the signature of a transaction of one signer. */
export const signatureOf = (transaction: Uint8Array): string => encodeBase58(transaction.slice(1, 65))

/** Creates a key that signs messages of one signer. */
export const createSolanaKey = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  return {
    address: encodeBase58(Uint8Array.from(Buffer.from(x, 'base64url'))),
    sign: (message: Uint8Array): Uint8Array =>
      Uint8Array.from([1, ...signBytes(null, message, privateKey), ...message]),
  }
}

/**
 * A wallet of Wallet Standard, the one place where a test may pretend: its key and answers are the test's, its
 * signatures and transactions are real and go to a real cluster.
 */
export const createScriptedSolanaWallet = ({
  rpcUrl,
  key = createSolanaKey(),
  isSigningOnly = false,
  name = 'Scripted',
}: {
  rpcUrl: string
  key?: ReturnType<typeof createSolanaKey>
  /** Whether it signs and leaves the sending to the app. */
  isSigningOnly?: boolean
  name?: string
}) => {
  const chain = 'solana:localnet'
  const account: StandardAccount = { address: key.address, chains: [chain], features: [] }
  const script: {
    accounts: StandardAccount[]
    /** What it does when it is asked for a payment. Returns the transaction to answer with. */
    onAsk(ask: SolanaAsk, proceed: () => Promise<Uint8Array>): Promise<Uint8Array>
    /** What it does when it is asked to connect. */
    onConnect(silent: boolean): Promise<void>
  } = { accounts: [account], onAsk: (_, proceed) => proceed(), onConnect: async () => {} }
  const asked: Uint8Array[] = []
  const listeners = new Set<(changed: { accounts?: readonly StandardAccount[] }) => void>()

  const send = async (transaction: Uint8Array): Promise<void> => {
    const params = [Buffer.from(transaction).toString('base64'), { encoding: 'base64' }]
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sendTransaction', params }),
    })
    const { error } = (await response.json()) as { error?: { message: string } }
    if (error) throw new Error(error.message)
  }
  const ask = (unsigned: Uint8Array): Promise<Uint8Array> => {
    const message = unsigned.slice(65)
    asked.push(message)
    const proceed = async (): Promise<Uint8Array> => {
      const transaction = key.sign(message)
      if (!isSigningOnly) await send(transaction)
      return transaction
    }
    return script.onAsk({ message, sign: key.sign, send }, proceed)
  }

  const wallet: StandardWallet = {
    name,
    icon: 'data:image/svg+xml,',
    chains: [chain],
    accounts: [],
    features: {
      'standard:connect': {
        connect: async ({ silent = false } = {}) => {
          await script.onConnect(silent)
          return { accounts: script.accounts }
        },
      },
      'standard:events': {
        on: (_, listener) => {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
      },
      ...(isSigningOnly
        ? {
            'solana:signTransaction': {
              signTransaction: async ({ transaction }) => [{ signedTransaction: await ask(transaction) }],
            },
          }
        : {
            'solana:signAndSendTransaction': {
              signAndSendTransaction: async ({ transaction }) => [
                { signature: (await ask(transaction)).slice(1, 65) },
              ],
            },
          }),
    },
  }
  return {
    wallet,
    account,
    key,
    /** What a test changes to make the wallet behave otherwise. */
    script,
    /** Every message that it was asked to sign, in order. */
    asked,
    send,
    /** Tells the app of the accounts that its owner shows to it. */
    change: (accounts: readonly StandardAccount[]): void => {
      for (const listener of listeners) listener({ accounts })
    },
  }
}
