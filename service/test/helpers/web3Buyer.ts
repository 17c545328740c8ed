import { Keypair, VersionedMessage, VersionedTransaction } from '@solana/web3.js'

/** Creates a buyer who signs prepared payments with `@solana/web3.js`, as an app does that knows nothing of this package. */
export const createWeb3Buyer = () => {
  const keypair = Keypair.generate()
  return {
    address: keypair.publicKey.toBase58(),
    /** Signs a prepared message. Returns the transaction in base64. */
    sign: (serialized: string): string => {
      const message = VersionedMessage.deserialize(Buffer.from(serialized, 'base64'))
      const transaction = new VersionedTransaction(message)
      transaction.sign([keypair])
      return Buffer.from(transaction.serialize()).toString('base64')
    },
  }
}
