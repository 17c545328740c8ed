import { encodeExecution } from 'kassa/engine'
import {
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  hashMessage,
  keccak256,
  parseEther,
  stringToHex,
  toHex,
} from 'viem'
import { entryPoint08Address } from 'viem/account-abstraction'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getCreation } from '#adapters/chains/evm/accounts/smartWalletAddress.js'
import { Collection721 } from '#adapters/chains/evm/artifacts/Collection721.js'
import { EntryPoint } from '#adapters/chains/evm/artifacts/EntryPoint.js'
import { SmartWallet } from '#adapters/chains/evm/artifacts/SmartWallet.js'
import { WalletFactory } from '#adapters/chains/evm/artifacts/WalletFactory.js'
import { walletDeployments } from '#adapters/chains/evm/connection/addresses.js'
import type { EncodedCall } from '#base/ports/calls.js'
import { requireCalls, requireOperations } from '#holdings/transactions/actingWallet.js'
import { createOperationWorld } from '../../../helpers/createOperationWorld.js'
import { createTestChain } from '../../../helpers/createTestChain.js'

let world: Awaited<ReturnType<typeof createOperationWorld>>

beforeAll(async () => {
  world = await createOperationWorld()
})

afterAll(() => world.close())

const magic = '0x1626ba7e'

const kinds = [
  ['account', () => world.createAccountWallet()],
  ['passkey', () => world.createPasskeyWallet()],
] as const

const codeOf = (address: Hex) => world.client.getCode({ address })

/** Creates a deployed wallet. */
const createWallet = async (kind: 'account' | 'passkey' = 'account') => {
  const owner = kind === 'account' ? world.createAccountWallet() : world.createPasskeyWallet()
  await owner.include([await owner.make([world.mintTokens(owner.address, 1n)])])
  return owner
}

describe('deployments', () => {
  test('default: the wallet contracts are deployed when a wallet first needs them', async () => {
    const own = await createTestChain()
    const addresses = Object.values(walletDeployments).map(({ address }) => address)
    const codes = () => Promise.all(addresses.map((address) => own.client.getCode({ address })))
    try {
      expect(await codes()).toEqual(addresses.map(() => undefined))
      expect(await requireOperations(own.chain).getNonce(own.operator, 3n)).toBe(3n << 64n)
      expect((await codes()).every((code) => code !== undefined)).toBe(true)
      const blocks = await Promise.all(
        Array.from({ length: 30 }, (_, blockNumber) =>
          own.client.getBlock({ blockNumber: BigInt(blockNumber) }).catch(() => undefined),
        ),
      )
      const used = blocks.map((block) => block?.gasUsed ?? 0n)
      // The gas limit of a transaction (EIP-7825).
      expect(used.every((gas) => gas < 16_777_216n)).toBe(true)
    } finally {
      await own.close()
    }
  })

  test('behavior: the EntryPoint has its canonical address', () => {
    expect(walletDeployments.entryPoint.address).toBe(entryPoint08Address)
    expect(walletDeployments.entryPoint.address).toBe('0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108')
  })

  test('behavior: the wallet that others clone has no owner', async () => {
    await world.port.getNonce(world.operator, 0n)
    const address = walletDeployments.smartWallet.address
    await expect(
      world.client.simulateContract({
        address,
        ...SmartWallet,
        functionName: 'initialize',
        args: [world.operator],
      }),
    ).rejects.toThrow('InvalidInitialization')
  })
})

describe.each(kinds)('a wallet of a signer of the kind %s', (kind, create) => {
  test('default: it is deployed at its predicted address, from any account', async () => {
    const owner = create()
    await world.port.getNonce(owner.address, 0n)
    const args = getCreation(owner.wallet)
    const factory = { address: walletDeployments.walletFactory.address, ...WalletFactory }
    expect(await world.client.readContract({ ...factory, functionName: 'walletAddress', args })).toBe(
      owner.address,
    )
    const stranger = await world.createPayer()
    const data = encodeFunctionData({ ...WalletFactory, functionName: 'create', args })
    for (let time = 0; time < 2; time++) {
      const raw = await stranger.sign({ to: factory.address, data })
      const hash = await world.client.sendRawTransaction({ serializedTransaction: raw })
      const receipt = await world.client.waitForTransactionReceipt({ hash })
      expect(receipt).toMatchObject({ status: 'success' })
    }
    expect(await codeOf(owner.address)).toBeDefined()
    expect(
      await world.client.readContract({ address: owner.address, ...SmartWallet, functionName: 'signer' }),
    ).toBe(args[0].toLowerCase())
    expect(await owner.include([await owner.make([world.mintTokens(owner.address, 2n)])])).toMatchObject([
      { status: 'success' },
    ])
  })

  test('behavior: another salt or signer is another wallet', () => {
    const one = create()
    const addresses = [
      one.address,
      world.port.walletAddress({ ...one.wallet, salt: 'another' }),
      create().address,
    ]
    expect(new Set(addresses).size).toBe(3)
    expect(world.port.walletAddress(one.wallet)).toBe(one.address)
  })

  test('behavior: only its signer and the wallet itself can make it act', async () => {
    const owner = await createWallet(kind)
    const stranger = await world.createPayer()
    const calls = { to: owner.address, data: encodeExecution([world.mintTokens(stranger.address, 1n)]) }
    await expect(world.client.call({ account: stranger.address, ...calls })).rejects.toThrow()
    const data = encodeFunctionData({ ...SmartWallet, functionName: 'initialize', args: [stranger.address] })
    await expect(world.client.call({ account: stranger.address, to: owner.address, data })).rejects.toThrow()
  })

  test.each([
    ['at once', 0],
    ['through itself', 1],
    ['through itself through itself', 2],
  ])('error: a nonce that a call would use up, %s', async (_, depth) => {
    const owner = await createWallet()
    let call: EncodedCall = {
      to: entryPoint08Address,
      value: 0n,
      data: encodeFunctionData({ ...EntryPoint, functionName: 'incrementNonce', args: [7n] }),
    }
    for (let at = 0; at < depth; at++) {
      call = {
        to: owner.address,
        value: 0n,
        data: encodeExecution([world.sendCoins(owner.address, 0n), call]),
      }
    }
    await expect(owner.make([call])).rejects.toThrow('NonceIncrementNotAllowed()')
    await owner.include([await owner.make([world.sendCoins(entryPoint08Address, 0n)])])
  })

  test('behavior: it receives tokens by safe transfers, and plain coins', async () => {
    const owner = await createWallet(kind)
    for (const standard of ['erc-721', 'erc-1155', 'erc-5643'] as const) {
      const { collection } = await world.createCollection({ standard })
      const token = { recipient: owner.address, tokenId: 7n, uri: 'ipfs://x', mintKey: crypto.randomUUID() }
      const tokens = [{ ...token, ...(standard === 'erc-5643' && { expiresAt: 2_000_000_000n }) }]
      const minted = await world.chain.mint(crypto.randomUUID(), { collection, tokens })
      expect(minted.status).toBe('succeeded')
    }
    const { contractAddress, collection } = await world.createCollection()
    const giver = await world.createPayer()
    const tokens = [{ recipient: giver.address, tokenId: 9n, uri: 'ipfs://x', mintKey: crypto.randomUUID() }]
    await world.chain.mint(crypto.randomUUID(), { collection, tokens })
    const args = [giver.address, owner.address, 9n] as const
    const data = encodeFunctionData({ ...Collection721, functionName: 'safeTransferFrom', args })
    const raw = await giver.sign({ to: contractAddress, data })
    const hash = await world.client.sendRawTransaction({ serializedTransaction: raw })
    await world.client.waitForTransactionReceipt({ hash })
    expect(await world.chain.ownerOf({ contractAddress, tokenId: 9n })).toBe(owner.address)
    const coins = await giver.sign({ to: owner.address, value: parseEther('0.1') })
    await world.client.waitForTransactionReceipt({
      hash: await world.client.sendRawTransaction({ serializedTransaction: coins }),
      pollingInterval: 20,
    })
    expect(await world.client.getBalance({ address: owner.address })).toBe(parseEther('0.1'))
  })

  test('behavior: it sends tokens to others', async () => {
    const owner = await createWallet(kind)
    const { contractAddress, collection } = await world.createCollection()
    const tokens = [{ recipient: owner.address, tokenId: 1n, uri: 'ipfs://x', mintKey: crypto.randomUUID() }]
    await world.chain.mint(crypto.randomUUID(), { collection, tokens })
    const friend = world.newAddress()
    const calls = requireCalls(world.chain).encode(
      [
        {
          address: contractAddress,
          functionName: 'transferFrom',
          abi: Collection721.abi.map((entry) => ({ ...entry })),
          args: [owner.address, friend, '1'],
        },
      ],
      'params.calls',
    )
    await owner.include([await owner.make(calls)])
    expect(await world.chain.ownerOf({ contractAddress, tokenId: 1n })).toBe(friend)
  })

  test('behavior: the gas for its signature is enough, with a margin', async () => {
    const owner = create()
    const isTaken = async (nonce: bigint, share: bigint) => {
      const { operation } = await owner.prepare([world.mintTokens(owner.address, 1n)], { nonce })
      const less = {
        ...operation,
        verificationGasLimit: toHex((BigInt(operation.verificationGasLimit) * share) / 100n),
      }
      const signed = await owner.sign({ operation: less, hash: world.port.hash(less) })
      return (await owner.send([signed])).status === 'included'
    }
    expect(await isTaken(0n, 60n)).toBe(true)
    expect(await isTaken(1n, 60n)).toBe(true)
  })
})

describe('signers', () => {
  test('behavior: an account that delegates to a contract (EIP-7702) still signs', async () => {
    const owner = await createWallet()
    if (!('account' in owner)) throw new Error('no account')
    await world.client.setCode({
      address: owner.account.address,
      bytecode: concatHex(['0xef0100', walletDeployments.smartWallet.address]),
    })
    expect(await owner.include([await owner.make([world.mintTokens(owner.address, 2n)])])).toMatchObject([
      { status: 'success' },
    ])
    expect(await world.tokensOf(owner.address, 'usdc')).toBe(3n)
  })

  test('behavior: a malleated signature is invalid', async () => {
    const owner = await createWallet()
    const prepared = await owner.prepare([world.mintTokens(owner.address, 2n)])
    const signature = await owner.approve(prepared.hash)
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const s = order - BigInt(`0x${signature.slice(66, 130)}`)
    const v = signature.endsWith('1b') ? '1c' : '1b'
    const malleated = `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${v}`
    expect(await owner.send([{ ...prepared.operation, signature: malleated }])).toMatchObject({
      status: 'refused',
      error: { revert: { reason: 'AA24 signature error' } },
    })
  })
})

describe('messages', () => {
  const isValid = async (address: Hex, hash: Hex, signature: Hex) =>
    world.client
      .readContract({ address, ...SmartWallet, functionName: 'isValidSignature', args: [hash, signature] })
      .then((answer) => answer === magic)

  test('default: a wallet’s signature of a message (ERC-1271 by ERC-7739) is valid for that wallet alone', async () => {
    const owner = world.createAccountWallet()
    const other = world.createAccountWallet()
    for (const each of [owner, other])
      await each.include([await each.make([world.mintTokens(each.address, 1n)])])
    const hash = hashMessage('Sign in to the shop')
    const domain = {
      name: 'Kassa Smart Wallet',
      version: '1',
      chainId: world.chain.chainId,
      verifyingContract: owner.address,
    }
    const structHash = keccak256(
      encodeAbiParameters(
        [{ type: 'bytes32' }, { type: 'bytes32' }],
        [keccak256(stringToHex('PersonalSign(bytes prefixed)')), hash],
      ),
    )
    const separator = keccak256(
      encodeAbiParameters(
        [
          { type: 'bytes32' },
          { type: 'bytes32' },
          { type: 'bytes32' },
          { type: 'uint256' },
          { type: 'address' },
        ],
        [
          keccak256(
            stringToHex('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
          ),
          keccak256(stringToHex(domain.name)),
          keccak256(stringToHex(domain.version)),
          BigInt(domain.chainId),
          domain.verifyingContract,
        ],
      ),
    )
    const signed = keccak256(concatHex(['0x1901', separator, structHash]))
    const signature = await owner.account.sign({ hash: signed })
    expect(await isValid(owner.address, hash, signature)).toBe(true)
    expect(await isValid(other.address, hash, signature)).toBe(false)
    expect(await isValid(owner.address, hashMessage('Sign in elsewhere'), signature)).toBe(false)
    // The owner's own signature of the same message is not the wallet's.
    expect(await isValid(owner.address, hash, await owner.account.sign({ hash }))).toBe(false)
  })
})
