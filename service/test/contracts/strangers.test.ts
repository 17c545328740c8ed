import {
  type Abi,
  type AbiFunction,
  type Address,
  encodeFunctionData,
  type Hex,
  padHex,
  toHex,
  zeroHash,
} from 'viem'
import { entryPoint08Address } from 'viem/account-abstraction'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { CallSequence } from '#adapters/chains/evm/artifacts/CallSequence.js'
import { Deposit } from '#adapters/chains/evm/artifacts/Deposit.js'
import { PermitSpender } from '#adapters/chains/evm/artifacts/PermitSpender.js'
import { actors, createContracts, mintOf, termsOf } from '../helpers/createContracts.js'
import { openBeforeAll } from '../helpers/openBeforeAll.js'

/** How a function treats callers. Open functions act for the caller alone, or change nothing of value. */
type Rule =
  | 'open'
  | {
      /** The error for a stranger. */
      error: string
      allowed: Address
      /** The error even for the allowed caller, if the function is closed to all. */
      allowedError?: string
      args: readonly unknown[]
      /** The contract to call as the allowed caller, if it is another one. */
      at?: Address
    }
type Subject = { to: Address; abi: Abi; rules: Record<string, Rule> }

const { owner, minter, buyer, stranger } = actors
const word = (value: number): Hex => padHex(toHex(value), { size: 32 })
const batchMode: Hex = `0x01${'00'.repeat(31)}`
const signatureOf = ({ name, inputs }: AbiFunction) => `${name}(${inputs.map(({ type }) => type)})`
const encodeCall = (abi: Abi, functionName: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi, functionName, args })
const noCalls: Hex = `0x${word(32).slice(2)}${word(0).slice(2)}`

const contracts = openBeforeAll(createContracts)
let subjects: Record<string, Subject>

const owned = {
  'transferOwnership(address)': { error: 'OwnableUnauthorizedAccount', allowed: owner, args: [stranger] },
  'renounceOwnership()': { error: 'OwnableUnauthorizedAccount', allowed: owner, args: [] },
} as const

const minterOnly = {
  'mint(tuple[])': {
    error: 'NotMinter',
    allowed: minter,
    args: [[mintOf(9n)]],
  },
  'update(uint64,tuple)': {
    error: 'NotMinter',
    allowed: minter,
    args: [1n, termsOf()],
  },
  'updateToken(uint256,uint64,string,uint64)': {
    error: 'NotMinter',
    allowed: minter,
    args: [1n, 1n, 'ipfs://new', 0n],
  },
}

/** Calls that a stranger must not make with another holder's single token. */
const held = (allowedError?: string) => {
  const holder = {
    error: 'ERC721InsufficientApproval',
    allowed: buyer,
    ...(allowedError && { allowedError }),
  }
  return {
    'transferFrom(address,address,uint256)': { ...holder, args: [buyer, stranger, 1n] },
    'safeTransferFrom(address,address,uint256)': { ...holder, args: [buyer, stranger, 1n] },
    'safeTransferFrom(address,address,uint256,bytes)': { ...holder, args: [buyer, stranger, 1n, '0x'] },
    'approve(address,uint256)': { error: 'ERC721InvalidApprover', allowed: buyer, args: [stranger, 1n] },
    'setApprovalForAll(address,bool)': 'open' as const,
    'burn(uint256)': { error: 'ERC721InsufficientApproval', allowed: buyer, args: [1n] },
  }
}

beforeAll(async () => {
  const { run, read, deposits, factory, router, token, wallet, walletFactory } = contracts
  const collections = {
    single: await contracts.createCollection('single'),
    copies: await contracts.createCollection('copies'),
    subscription: await contracts.createCollection('subscription'),
  }
  for (const { to, abi } of Object.values(collections)) {
    await run(minter, { to, abi, functionName: 'mint', args: [[mintOf(1n, { expiresAt: 2n ** 40n })]] })
  }
  /** The transaction that creates a clone also initializes it. Its implementation is never initialized. */
  const initialize = (implementation: Address, args: readonly unknown[]) => ({
    error: 'InvalidInitialization',
    allowed: stranger,
    args,
    at: implementation,
    allowedError: 'InvalidInitialization',
  })
  const terms = [stranger, termsOf()]

  const orderRef = word(7)
  const deposit = await read<Address>({ ...deposits, functionName: 'depositAddress', args: [orderRef] })
  await run(stranger, { ...token, functionName: 'mint', args: [deposit, 1_000n] })
  await run(owner, { ...deposits, functionName: 'payOut', args: [orderRef, word(1), token.to, buyer, 10n] })
  await contracts.client.setBalance({ address: deposit, value: 1_000n })
  await run(buyer, { ...router, functionName: 'pay', args: [orderRef, 2n ** 40n], value: 1_000n })

  const refusing = privateKeyToAccount(generatePrivateKey()).address
  await contracts.client.setCode({ address: refusing, bytecode: '0x5f5ffd' })
  await run(owner, { ...router, functionName: 'payOut', args: [orderRef, word(5), refusing, 10n] })

  const created = { ...walletFactory, args: [buyer, zeroHash] }
  await run(stranger, { ...created, functionName: 'create' })
  const buyersWallet = await read<Address>({ ...created, functionName: 'walletAddress' })
  await contracts.client.setBalance({ address: entryPoint08Address, value: 10n ** 18n })
  const operation = {
    sender: buyersWallet,
    nonce: 0n,
    initCode: '0x',
    callData: '0x',
    preVerificationGas: 0n,
    accountGasLimits: zeroHash,
    gasFees: zeroHash,
    paymasterAndData: '0x',
    signature: '0x',
  }
  const owners = 'OwnableUnauthorizedAccount'
  const moved = 'ERC1155MissingApprovalForAll'

  subjects = {
    PaymentRouter: {
      ...router,
      rules: {
        ...owned,
        'pay(bytes32,uint256)': 'open',
        // Sends the caller's credit.
        'claimTo(address)': 'open',
        'payOutCredit(bytes32,address)': {
          error: owners,
          allowed: owner,
          args: [word(5), buyer],
        },
        'payOut(bytes32,bytes32,address,uint256)': {
          error: owners,
          allowed: owner,
          args: [orderRef, word(3), stranger, 10n],
        },
        // Each of its calls has its caller.
        'multicall(bytes[])': {
          error: owners,
          allowed: owner,
          args: [[encodeCall(router.abi, 'payOut', [orderRef, word(3), stranger, 10n])]],
        },
      },
    },
    DepositFactory: {
      ...deposits,
      rules: {
        ...owned,
        'payOut(bytes32,bytes32,address,address,uint256)': {
          error: owners,
          allowed: owner,
          args: [orderRef, word(3), token.to, stranger, 10n],
        },
        'payOutCoins(bytes32,bytes32,address,uint256)': {
          error: owners,
          allowed: owner,
          args: [orderRef, word(4), stranger, 10n],
        },
        'multicall(bytes[])': {
          error: owners,
          allowed: owner,
          args: [[encodeCall(deposits.abi, 'payOut', [orderRef, word(3), token.to, stranger, 10n])]],
        },
      },
    },
    Deposit: {
      to: deposit,
      abi: Deposit.abi,
      rules: {
        'transfer(address,address,uint256)': {
          error: 'NotFactory',
          allowed: deposits.to,
          args: [token.to, stranger, 10n],
        },
        'transferCoins(address,uint256)': {
          error: 'NotFactory',
          allowed: deposits.to,
          args: [stranger, 10n],
        },
      },
    },
    CollectionFactory: {
      ...factory,
      rules: {
        ...owned,
        'create(bytes32,address,bytes)': {
          error: owners,
          allowed: owner,
          args: [word(99), token.to, '0x18160ddd'],
        },
      },
    },
    Collection721: {
      ...collections.single,
      rules: {
        ...minterOnly,
        ...held(),
        'initialize(address,tuple)': initialize(collections.single.implementation, terms),
      },
    },
    Subscription721: {
      ...collections.subscription,
      rules: {
        ...minterOnly,
        ...held('NotTransferable'),
        'initialize(address,tuple)': initialize(collections.subscription.implementation, terms),
        'renewSubscription(uint256,uint64)': { error: 'NotMinter', allowed: minter, args: [1n, 60n] },
        'cancelSubscription(uint256)': { error: 'NotHolder', allowed: buyer, args: [1n] },
      },
    },
    Collection1155: {
      ...collections.copies,
      rules: {
        ...minterOnly,
        'initialize(address,tuple)': initialize(collections.copies.implementation, terms),
        'safeTransferFrom(address,address,uint256,uint256,bytes)': {
          error: moved,
          allowed: buyer,
          args: [buyer, stranger, 1n, 1n, '0x'],
        },
        'burn(address,uint256,uint256)': { error: moved, allowed: buyer, args: [buyer, 1n, 1n] },
        'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)': {
          error: moved,
          allowed: buyer,
          args: [buyer, stranger, [1n], [1n], '0x'],
        },
        'setApprovalForAll(address,bool)': 'open',
      },
    },
    SmartWallet: {
      to: buyersWallet,
      abi: wallet.abi,
      rules: {
        'initialize(bytes)': initialize(wallet.to, [stranger]),
        'execute(bytes32,bytes)': {
          error: 'AccountUnauthorized',
          allowed: entryPoint08Address,
          args: [batchMode, noCalls],
        },
        'validateUserOp(tuple,bytes32,uint256)': {
          error: 'AccountUnauthorized',
          allowed: entryPoint08Address,
          args: [operation, zeroHash, 0n],
        },
        'onERC721Received(address,address,uint256,bytes)': 'open',
        'onERC1155Received(address,address,uint256,uint256,bytes)': 'open',
        'onERC1155BatchReceived(address,address,uint256[],uint256[],bytes)': 'open',
      },
    },
    WalletFactory: {
      ...walletFactory,
      rules: {
        'create(bytes,bytes32)': 'open',
        'createAndHandle(bytes,bytes32,tuple[],address)': 'open',
      },
    },
    PermitSpender: {
      to: contracts.token.to,
      abi: PermitSpender.abi,
      rules: {
        // What the payer signed says where the money goes, whoever brings it.
        'pay(tuple,address,tuple,bytes)': 'open',
        'approveAndPay(tuple,tuple,address,tuple,bytes)': 'open',
      },
    },
    CallSequence: {
      to: contracts.token.to,
      abi: CallSequence.abi,
      // It has no rights, so its calls are those of a stranger.
      rules: { 'run(tuple[])': 'open' },
    },
  }
})

const names = [
  'PaymentRouter',
  'DepositFactory',
  'Deposit',
  'CollectionFactory',
  'Collection721',
  'Subscription721',
  'Collection1155',
  'SmartWallet',
  'WalletFactory',
  'PermitSpender',
  'CallSequence',
]

describe.each(names)('%s', (name) => {
  const find = (): Subject => {
    const subject = subjects[name]
    if (!subject) throw new Error(`no contract ${name}`)
    return subject
  }
  const changing = ({ abi }: Subject) =>
    abi.flatMap((one) =>
      one.type === 'function' && one.stateMutability !== 'view' && one.stateMutability !== 'pure'
        ? [one]
        : [],
    )

  test('default: every function that changes something has a row with its allowed callers', () => {
    const subject = find()
    expect(changing(subject).map(signatureOf).sort()).toEqual(Object.keys(subject.rules).sort())
  })

  test('behavior: a stranger is refused, and the allowed caller is not', async () => {
    const subject = find()
    for (const item of changing(subject)) {
      const signature = signatureOf(item)
      const rule = subject.rules[signature] ?? 'open'
      if (rule === 'open') continue
      const call = { to: subject.to, abi: [item, ...subject.abi], functionName: item.name, args: rule.args }
      expect(await contracts.refusal(stranger, call), `a stranger calls ${signature}`).toBe(rule.error)
      const asAllowed = { ...call, to: rule.at ?? call.to }
      expect(await contracts.refusal(rule.allowed, asAllowed), `the right caller of ${signature}`).toBe(
        rule.allowedError,
      )
    }
  })
})
