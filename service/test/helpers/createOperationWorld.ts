import type { UserOperation } from 'kassa/schema'
import { type Address, encodeFunctionData, getAddress, type Hex, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { TestToken } from '#adapters/chains/evm/artifacts/TestToken.js'
import type { EncodedCall } from '#base/ports/calls.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { SmartWalletRef } from '#base/ports/operations.js'
import { requireOperations } from '#holdings/transactions/actingWallet.js'
import { createPasskey } from './createPasskey.js'
import { createTestChain } from './createTestChain.js'

/** Reverts with its calldata. */
const echoCode: Hex = '0x365f5f37365ffd'

/** A real chain with smart wallets of accounts and of passkeys. */
export const createOperationWorld = async () => {
  const world = await createTestChain()
  const port = requireOperations(world.chain)
  const echo = getAddress('0x00000000000000000000000000000000000ec40e')
  await world.client.setCode({ address: echo, bytecode: echoCode })

  const withSigner = (wallet: SmartWalletRef, approve: (hash: string) => Promise<string>) => {
    const address = getAddress(port.walletAddress(wallet))
    let channel = 0n
    const prepare = async (
      calls: readonly EncodedCall[],
      change: { nonce?: bigint; isSponsored?: boolean } = {},
    ) => {
      const nonce = change.nonce ?? (await port.getNonce(address, channel++))
      const prepared = await port.prepare({
        wallet,
        calls,
        nonce,
        isSponsored: change.isSponsored ?? true,
      })
      if (prepared.status !== 'ready') throw new Error(prepared.message)
      return prepared
    }
    const sign = async ({
      operation,
      hash,
    }: {
      operation: UserOperation
      hash: string
    }): Promise<UserOperation> => ({
      ...operation,
      signature: await approve(hash),
    })
    const make = async (
      calls: readonly EncodedCall[],
      change: { nonce?: bigint; isSponsored?: boolean } = {},
    ) => sign(await prepare(calls, change))
    const send = (
      operations: readonly UserOperation[],
      key: string = crypto.randomUUID(),
      chain: ChainPort = world.chain,
    ) => requireOperations(chain).send(key, { operations, errors: operations.map(() => []), wallet })
    return {
      wallet,
      address,
      approve,
      prepare,
      sign,
      /** Creates a signed operation; without a nonce, in a separate channel. */
      make,
      send,
      /** Sends operations that the chain accepts, and returns their results. */
      include: async (operations: readonly UserOperation[]) => {
        const sent = await send(operations)
        if (sent.status !== 'included') throw new Error(JSON.stringify(sent))
        return sent.results
      },
      fund: (wei = parseEther('1')) => world.client.setBalance({ address, value: wei }),
      isInPlace: async () => (await world.client.getCode({ address })) !== undefined,
    }
  }

  const createAccountWallet = () => {
    const privateKey = generatePrivateKey()
    const account = privateKeyToAccount(privateKey)
    const signer = { kind: 'account', address: account.address } as const
    return {
      account,
      privateKey,
      ...withSigner({ signer, salt: crypto.randomUUID() }, (hash) =>
        account.signMessage({ message: { raw: hash as Hex } }),
      ),
    }
  }

  const createPasskeyWallet = () => {
    const passkey = createPasskey()
    const signer = { kind: 'passkey', publicKey: passkey.publicKey } as const
    return {
      passkey,
      ...withSigner({ signer, salt: crypto.randomUUID() }, async (hash) => {
        const read = await port.readApproval(signer, hash, passkey.approve(hash))
        if ('fault' in read) throw new Error(read.fault)
        return read.signature
      }),
    }
  }

  const usdc = getAddress(world.chain.currencies.find(({ currency }) => currency === 'usdc')?.address ?? '')
  return {
    ...world,
    /** The port of the chain's user operations. */
    port,
    /** Reverts with its calldata. */
    echo,
    usdc,
    createAccountWallet,
    createPasskeyWallet,
    sendCoins: (to: string, value: bigint): EncodedCall => ({ to, value, data: '0x' }),
    revertWith: (data: Hex, errors?: readonly unknown[]): EncodedCall => ({
      to: echo,
      value: 0n,
      data,
      ...(errors && { errors }),
    }),
    mintTokens: (to: Address, units: bigint): EncodedCall => ({
      to: usdc,
      value: 0n,
      data: encodeFunctionData({ ...TestToken, functionName: 'mint', args: [to, units] }),
    }),
    sendTokens: (to: Address, units: bigint): EncodedCall => ({
      to: usdc,
      value: 0n,
      data: encodeFunctionData({ ...TestToken, functionName: 'transfer', args: [to, units] }),
    }),
    newAddress: (): Address => privateKeyToAccount(generatePrivateKey()).address,
  }
}
