import {
  AccountRole,
  appendTransactionMessageInstruction,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  getStructEncoder,
  getTransactionEncoder,
  getU32Encoder,
  getU64Encoder,
  lamports,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import type { Cluster } from './cluster.js'
import { readAddress } from './readParams.js'

const systemProgram = readAddress('11111111111111111111111111111111')
/** The faucet's key is no secret: its lamports exist on this machine only. */
const faucetKey = new TextEncoder().encode('the faucet of a local cluster'.padEnd(32, '.')).slice(0, 32)
const faucetLamports = 500_000_000n * 10n ** 9n

const transferData = getStructEncoder([
  ['instruction', getU32Encoder()],
  ['lamports', getU64Encoder()],
])
const transferNumber = 2

/** Creates the faucet of a cluster. It gives lamports by transactions that land in blocks, as on a test network. */
export const createFaucet = async (cluster: Cluster) => {
  const faucet = await createKeyPairSignerFromPrivateKeyBytes(faucetKey)
  if (!cluster.readAccount(faucet.address, 'processed').exists) {
    cluster.setAccount({
      address: faucet.address,
      programAddress: systemProgram,
      executable: false,
      lamports: lamports(faucetLamports),
      data: new Uint8Array(),
      space: 0n,
    })
  }
  return {
    identity: faucet.address,
    supply: faucetLamports,
    /** Sends lamports, and returns the signature of the transaction. */
    airdrop: async (recipient: string, amount: bigint): Promise<string> => {
      const block = cluster.blockAt('processed')
      const lifetime = { blockhash: block.blockhash, lastValidBlockHeight: cluster.lastValidHeightOf(block) }
      const transfer = {
        programAddress: systemProgram,
        accounts: [
          { address: faucet.address, role: AccountRole.WRITABLE_SIGNER },
          { address: readAddress(recipient), role: AccountRole.WRITABLE },
        ],
        data: transferData.encode({ instruction: transferNumber, lamports: amount }),
      }
      const message = pipe(
        createTransactionMessage({ version: 0 }),
        (empty) => setTransactionMessageFeePayerSigner(faucet, empty),
        (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
        (dated) => appendTransactionMessageInstruction(transfer, dated),
      )
      const signed = await signTransactionMessageWithSigners(message)
      return cluster.submit(Uint8Array.from(getTransactionEncoder().encode(signed)))
    },
  }
}
