import {
  type Address,
  address,
  createNoopSigner,
  type Instruction,
  isSignerRole,
  isWritableRole,
} from '@solana/kit'
import {
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  type Signer,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js'
import { startLocalSolana } from '#adapters/chains/solana/local/startLocalSolana.js'

/** Converts an instruction of `@solana/kit` to one of web3.js. */
export const toWeb3 = ({ programAddress, accounts = [], data }: Instruction): TransactionInstruction =>
  new TransactionInstruction({
    programId: new PublicKey(programAddress),
    keys: accounts.map(({ address: key, role }) => ({
      pubkey: new PublicKey(key),
      isSigner: isSignerRole(role),
      isWritable: isWritableRole(role),
    })),
    data: Buffer.from(data ?? []),
  })

/** Returns the address of a key of web3.js. */
export const addressOf = (key: PublicKey): Address => address(key.toBase58())

/** Closes a connection of web3.js. It has no way to close, and would go on connecting to a node that has ended. */
export const disconnect = (connection: Connection): void => {
  const socket = Reflect.get(connection, '_rpcWebSocket')
  socket.setAutoReconnect(false)
  socket.connect = () => {}
  socket.close()
}

/** Starts a local cluster whose blocks the test makes, and a client of web3.js with a paying account. */
export const createWeb3Client = async ({ statePath }: { statePath?: string } = {}) => {
  const start = () =>
    startLocalSolana({ port: 0, slotMs: 3_600_000, finalizedAfter: 8, ...(statePath && { statePath }) })
  let node = await start()
  const connect = () => new Connection(node.rpcUrl, { commitment: 'processed', wsEndpoint: node.wsUrl })
  let connection = connect()
  const payer = Keypair.generate()
  const tick = (blocks = 1) => {
    for (let left = blocks; left > 0; left--) node.tick()
  }
  await connection.requestAirdrop(payer.publicKey, 100 * LAMPORTS_PER_SOL)
  tick(10)

  const sign = async (instructions: readonly TransactionInstruction[], signers: readonly Signer[] = []) => {
    const latest = await connection.getLatestBlockhash()
    const transaction = new Transaction({ feePayer: payer.publicKey, ...latest }).add(...instructions)
    transaction.sign(payer, ...signers)
    return transaction
  }

  return {
    get node() {
      return node
    },
    get connection() {
      return connection
    },
    payer,
    /** The payer as `@solana/kit` names a signer. */
    payerSigner: createNoopSigner(addressOf(payer.publicKey)),
    tick,
    sign,
    /** Sends a transaction, and makes the block in which it lands. */
    send: async (instructions: readonly TransactionInstruction[], signers?: readonly Signer[]) => {
      const transaction = await sign(instructions, signers)
      const signature = await connection.sendRawTransaction(transaction.serialize())
      tick()
      return signature
    },
    /** Calls a method without a client. */
    call: async (method: string, params: readonly unknown[] = []) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const response = await fetch(node.rpcUrl, { method: 'POST', body })
      return (await response.json()) as { result?: unknown; error?: { code: number; message: string } }
    },
    /** Ends the node as it does, or as if it was killed, and starts it again. */
    restart: async () => {
      disconnect(connection)
      await node.close()
      node = await start()
      connection = connect()
    },
    close: async () => {
      disconnect(connection)
      await node.close()
    },
  }
}
