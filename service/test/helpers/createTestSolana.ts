import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Address,
  appendTransactionMessageInstructions,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  type Instruction,
  pipe,
  type Signature,
  type SignatureBytes,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signBytes,
  signTransactionMessageWithSigners,
  type TransactionMessageBytes,
} from '@solana/kit'
import { accountAddress } from '#adapters/chains/solana/connection/accountAddress.js'
import { openRpc } from '#adapters/chains/solana/connection/connect.js'
import { startLocalSolana } from '#adapters/chains/solana/local/startLocalSolana.js'
import { createSolanaChain } from '#adapters/chains/solana/solanaChain.js'
import type { SolanaChainOptions } from '#adapters/chains/solana/solanaChainOptions.js'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import { ServiceError } from '#base/errors.js'
import { createTestDatabase } from './createTestDatabase.js'

const sol = 1_000_000_000n

/** Changes the data of a message's last instruction, which is its transfer. */
type Change = (data: Uint8Array) => Uint8Array

/** Opens a Solana cluster with short slots, the port of it, and a database. */
export const createTestSolana = async ({
  commitment = 'confirmed',
  slotMs = 20,
  finalizedAfter = 6,
  database: given,
}: {
  commitment?: 'confirmed' | 'finalized'
  /** The length of a slot. */
  slotMs?: number
  /** After how many slots a block is final. */
  finalizedAfter?: number
  /** The caller's database, which stays open. */
  database?: OpenDatabase
} = {}) => {
  const database = given ?? (await createTestDatabase())
  // The test makes the blocks, so that it can stop the time.
  const node = await startLocalSolana({ port: 0, slotMs: 3_600_000, finalizedAfter })
  let ticking: NodeJS.Timeout | undefined
  const startTime = () => {
    clearInterval(ticking)
    ticking = setInterval(() => node.tick(), slotMs)
  }
  startTime()
  // Other tests of this process may load `undici`, which the transport of `@solana/kit` does not get along with.
  const rpc = await openRpc({ rpcUrl: async () => node.rpcUrl })
  const operatorKey = new Uint8Array(32).fill(7)
  const open = (change: Partial<SolanaChainOptions> = {}) =>
    createSolanaChain({
      chain: 'solana',
      db: database.db,
      isLocal: true,
      isTestnet: true,
      pollMs: 10,
      commitment,
      log: { info: () => {}, warn: () => {}, error: () => {} },
      rpcUrl: async () => node.rpcUrl,
      operatorKey,
      tokens: 'test-tokens',
      close: async () => {},
      ...change,
    })
  const chain = open()
  await chain.ready()
  let fundings = 0

  const awaitConfirmed = async (signature: Signature): Promise<void> => {
    for (;;) {
      const { value } = await rpc.getSignatureStatuses([signature]).send()
      const status = value[0]
      if (status?.err)
        throw new Error(
          JSON.stringify(status.err, (_, each) => (typeof each === 'bigint' ? Number(each) : each)),
        )
      if (status && status.confirmationStatus !== 'processed') return
      await sleep(5)
    }
  }

  /** Gives an account money. While blocks are replaced, the service may have to be asked again for the same. */
  const fund = async (recipient: string, currency: string, units: bigint) => {
    const key = `fund:${fundings++}`
    for (;;) {
      try {
        return await chain.wallets.fund(key, { currency, units, recipient })
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'chain-unavailable') throw error
        await sleep(slotMs)
      }
    }
  }

  return {
    db: database.db,
    database,
    node,
    startTime,
    stopTime: () => clearInterval(ticking),
    rpc,
    chain,
    /** Opens a second adapter on the same database and cluster, as another process would. */
    open,
    operator: accountAddress(operatorKey),
    fund,
    awaitConfirmed,
    /** Creates a buyer with coins and tokens, who signs prepared messages as a wallet does. */
    createPayer: async ({ lamports = 100n * sol, tokens = 10n ** 10n } = {}) => {
      const signer = await generateKeyPairSigner()
      const funds = [
        ['sol', lamports],
        ['usdc', tokens],
      ] as const
      await Promise.all(
        funds.map(([currency, units]) => (units > 0n ? fund(signer.address, currency, units) : undefined)),
      )
      const sign = async (serialized: string, change: Change = (data) => data) => {
        const decoded = getCompiledTransactionMessageDecoder().decode(getBase64Encoder().encode(serialized))
        if (decoded.version === 1) throw new Error('a message of version 1')
        const transfer = decoded.instructions.at(-1)
        const data = change(Uint8Array.from(transfer?.data ?? []))
        const others = decoded.instructions.slice(0, -1)
        const changed = { ...decoded, instructions: transfer ? [...others, { ...transfer, data }] : others }
        const messageBytes = getCompiledTransactionMessageEncoder().encode(changed) as TransactionMessageBytes
        const signature = await signBytes(signer.keyPair.privateKey, messageBytes)
        const signatures: Record<Address, SignatureBytes> = { [signer.address]: signature }
        return getBase64EncodedWireTransaction({ messageBytes, signatures } as never)
      }
      const send = (signed: Awaited<ReturnType<typeof sign>>) =>
        rpc.sendTransaction(signed, { encoding: 'base64' }).send()
      return {
        address: signer.address,
        signer,
        /** Sends instructions that no service prepared, and waits until they are confirmed. */
        transact: async (instructions: readonly Instruction[]): Promise<string> => {
          const { value: lifetime } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send()
          const message = pipe(
            createTransactionMessage({ version: 0 }),
            (empty) => setTransactionMessageFeePayerSigner(signer, empty),
            (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
            (dated) => appendTransactionMessageInstructions(instructions, dated),
          )
          const wire = getBase64EncodedWireTransaction(await signTransactionMessageWithSigners(message))
          const signature = await rpc.sendTransaction(wire, { encoding: 'base64' }).send()
          await awaitConfirmed(signature)
          return signature
        },
        sign,
        send,
        pay: async (serialized: string, change?: Change): Promise<string> => {
          const signature = await send(await sign(serialized, change))
          await awaitConfirmed(signature)
          return signature
        },
      }
    },
    close: async () => {
      clearInterval(ticking)
      await node.close()
      if (!given) await database.close()
    },
  }
}

/** Changes the amount of a transfer: its last eight bytes, or those before the decimals of a token. */
export const withUnits =
  (units: bigint): Change =>
  (data) => {
    const copy = Buffer.from(data)
    // A transfer of coins has a number of four bytes before the amount, a transfer of tokens one of one byte.
    copy.writeBigUInt64LE(units, copy.length === 12 ? 4 : 1)
    return Uint8Array.from(copy)
  }
