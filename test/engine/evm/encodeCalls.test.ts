import { decodeFunctionData, type Hex, parseAbi, serializeTransaction, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import type { WrittenCall } from '../../../src/engine/evm/encodeCalls.js'
import { encodeCalls } from '../../../src/engine/evm/encodeCalls.js'
import { InvalidInput } from '../../../src/engine/invalidInput.js'

const chainId = 84532
const target = '0x52908400098527886E0F7030069857D2E4169EE7'
const someone = '0xde709f2102306220921060314715629080e2fb77'
const checksummed = '0xde709f2102306220921060314715629080e2fb77'

const abi = [
  ...parseAbi([
    'function transfer(address to, uint256 units) returns (bool)',
    'function pay(address to) payable',
    'function mint(uint256 id)',
    'function mint(address to)',
    'function mint(address to, uint256 id)',
    'function mint(address to, bytes4 kind)',
    'function small(uint8 one, int8 other)',
    'function bytesOf(bytes4 four, bytes any)',
    'function set((address who, (uint256 x, bool y)[2] points) plan, string[] names)',
    'function nested(uint256[][2] numbers)',
    'function flag(bool on, string name)',
    'error SoldOut(uint256 left)',
    'event Moved(address who)',
  ]),
]

type Entry = { type: 'function' | 'error' | 'event'; [key: string]: unknown }

const contractCall = (functionName: string, args: unknown[], change: object = {}): WrittenCall => ({
  address: target,
  functionName,
  abi: abi.map((entry): Entry => ({ ...entry })),
  args,
  ...change,
})

const encode = (call: WrittenCall, field = 'params.calls') => encodeCalls([call], field, chainId)[0]
const decode = (call: WrittenCall) => decodeFunctionData({ abi, data: encode(call)?.data as Hex })

const refusal = (call: WrittenCall, field = 'params.calls'): string => {
  try {
    encode(call, field)
  } catch (error) {
    return error instanceof InvalidInput ? error.message : String(error)
  }
  return 'nothing'
}

describe('a call by a contract’s interface', () => {
  test('default', () => {
    const call = contractCall('transfer', [someone, '12'])
    expect(decode(call)).toEqual({ functionName: 'transfer', args: [checksummed, 12n] })
    expect(encode(call)).toMatchObject({
      to: target,
      value: 0n,
      errors: [{ type: 'error', name: 'SoldOut' }],
    })
    expect(encode(contractCall('pay', [someone], { value: '7' }))).toMatchObject({ value: 7n })
  })

  test.each([
    ['12', 12n],
    ['0x0c', 12n],
    [12, 12n],
    [(2n ** 256n - 1n).toString(), 2n ** 256n - 1n],
  ])('parameters: the number %s', (written, units) => {
    expect(decode(contractCall('transfer', [someone, written])).args).toEqual([checksummed, units])
  })

  test('parameters: tuples and lists, by name or by position', () => {
    const points = [
      { x: '1', y: true },
      { x: 2, y: false },
    ]
    const plan = { who: someone, points }
    const byPosition = [someone, [['1', true], { x: '0x2', y: false }]]
    const expected = [
      {
        who: checksummed,
        points: [
          { x: 1n, y: true },
          { x: 2n, y: false },
        ],
      },
      ['a', 'b'],
    ]
    expect(decode(contractCall('set', [plan, ['a', 'b']])).args).toEqual(expected)
    expect(decode(contractCall('set', [byPosition, ['a', 'b']])).args).toEqual(expected)
    expect(decode(contractCall('nested', [[['1', 2], []]])).args).toEqual([[[1n, 2n], []]])
  })

  test('parameters: functions that share a name are chosen by their arguments, or by their signature', () => {
    expect(decode(contractCall('mint', ['5'])).args).toEqual([5n])
    expect(decode(contractCall('mint', [someone])).args).toEqual([checksummed])
    expect(decode(contractCall('mint', [someone, '5'])).args).toEqual([checksummed, 5n])
    expect(decode(contractCall('mint', [someone, '0x01020304'])).args).toEqual([checksummed, '0x01020304'])
    expect(decode(contractCall('mint(uint256)', [someone])).args).toEqual([BigInt(someone)])
    expect(decode(contractCall('mint(address, uint256)', [someone, '0x01020304'])).args).toEqual([
      checksummed,
      0x01020304n,
    ])
  })

  test('parameters: interfaces without stateMutability, and short names of numbers', () => {
    const old = (isPayable: boolean) => [
      { type: 'function', name: 'give', inputs: [{ type: 'uint' }], payable: isPayable } as const,
    ]
    const call = { address: target, functionName: 'give', abi: old(true), args: ['1'], value: '5' }
    expect(encode(call)).toMatchObject({ value: 5n, data: expect.stringMatching(/^0x/) })
    expect(refusal({ ...call, abi: old(false) })).toBe(
      'params.calls[0].value: give is not payable: it takes no coins',
    )
  })

  test('parameters: a function that an interface has twice', () => {
    const twice = {
      ...contractCall('pay', [someone]),
      abi: [...abi, ...abi].map((entry): Entry => ({ ...entry })),
    }
    expect(decode(twice)).toEqual({ functionName: 'pay', args: [checksummed] })
  })

  test('behavior: any interface is encoded or refused', () => {
    const values = [null, 0, -1, 1.5, '', '0x', '0x12', someone, [], {}, [[]], true, 'x', { type: 'uint256' }]
    const types = [
      '',
      'uint256',
      'uint9',
      'tuple',
      'tuple[]',
      'bytes33',
      'address[2]',
      'string',
      'bool[][]',
      5,
      null,
    ]
    const names = [
      'f',
      '',
      '0xdeadbeef',
      '(',
      'f(',
      'f()',
      'f(uint256)',
      '__proto__',
      'f(\u0000)',
      5,
      { toString: 1 },
    ]
    for (const functionName of names.filter((name) => typeof name === 'string')) {
      for (const name of names) {
        for (const type of types) {
          for (const value of values) {
            const inputs = value === null ? value : [{ name, type, components: [{ name, type: 'uint8' }] }]
            const entries = ['function', 'error'].map((kind) => ({
              type: kind,
              name,
              inputs,
              stateMutability: value,
            }))
            const call = { address: target, functionName, abi: entries as Entry[], args: [value] }
            const message = refusal(call)
            expect(message).toMatch(/^(nothing$|params\.calls\[0\]\.)/)
          }
        }
      }
    }
  })

  test('parameters: the only call of an account is named without an index', () => {
    expect(refusal(contractCall('transfer', [someone, '-1']), 'params.call')).toMatch(
      /^params\.call\.args\[1\]: /,
    )
  })

  test.each<[string, unknown[], string]>([
    ['tranfer', [], 'functionName: the abi has no function tranfer; it has transfer, pay, mint'],
    ['mint(bool)', [true], 'functionName: the abi has no function mint(bool); it has transfer'],
    ['Moved', [someone], 'functionName: the abi has no function Moved'],
    ['transfer', [someone], 'args: transfer takes 2 arguments, and these are 1'],
    ['transfer', [someone, '1', '2'], 'args: transfer takes 2 arguments, and these are 3'],
    ['transfer', ['0x12', '1'], 'args[0]: expected address'],
    ['transfer', [12, '1'], 'args[0]: expected address'],
    [
      'transfer',
      ['0xDe709f2102306220921060314715629080e2fb77', '1'],
      'args[0]: 0xDe709f2102306220921060314715629080e2fb77: its checksum is wrong',
    ],
    ['transfer', [someone, '-1'], 'args[1]: expected uint256, and this is out of its range'],
    ['transfer', [someone, '1.5'], 'args[1]: expected uint256: a decimal string'],
    ['transfer', [someone, 1.5], 'args[1]: expected uint256'],
    ['transfer', [someone, 2 ** 53], 'args[1]: expected uint256'],
    ['transfer', [someone, 1e80], 'args[1]: expected uint256'],
    ['transfer', [someone, true], 'args[1]: expected uint256'],
    ['transfer', [someone, null], 'args[1]: expected uint256'],
    ['transfer', [someone, ''], 'args[1]: expected uint256'],
    [
      'transfer',
      [someone, (2n ** 256n).toString()],
      'args[1]: expected uint256, and this is out of its range',
    ],
    ['small', ['256', '0'], 'args[0]: expected uint8, and this is out of its range'],
    ['small', ['255', '-129'], 'args[1]: expected int8, and this is out of its range'],
    ['small', ['255', '128'], 'args[1]: expected int8, and this is out of its range'],
    ['bytesOf', ['0x010203', '0x'], 'args[0]: expected bytes4, and these are 3 bytes'],
    ['bytesOf', ['0x01020304', '0x1'], 'args[1]: expected bytes: 0x and whole bytes in hex'],
    ['bytesOf', ['0x01020304', 'text'], 'args[1]: expected bytes'],
    ['flag', ['true', 'x'], 'args[0]: expected bool: true or false'],
    ['flag', [true, 5], 'args[1]: expected string'],
    ['nested', [[['1']]], 'args[0]: expected uint256[][2], and these are 1 values'],
    ['nested', [[['1'], 'x']], 'args[0][1]: expected uint256[]: a list'],
    ['nested', [[['1'], ['x']]], 'args[0][1][0]: expected uint256'],
    ['set', [{ who: someone }, []], 'args[0].points: expected tuple[2], and it is missing'],
    [
      'set',
      [{ who: someone, points: [], other: 1 }, []],
      'args[0]: expected a tuple without the member other',
    ],
    [
      'set',
      [{ who: someone, points: [{ x: 1 }, { x: 1, y: true }] }, []],
      'args[0].points[0].y: expected bool',
    ],
    ['set', [[someone], []], 'args[0]: expected 2 values, and these are 1'],
    ['set', ['x', []], 'args[0]: expected a tuple'],
    ['mint', [true], 'args: none of the functions mint takes these arguments'],
    ['mint', [someone, 'x', 1], 'args: none of the functions mint takes these arguments'],
  ])('error: %s %j', (functionName, args, message) => {
    expect(refusal(contractCall(functionName, args))).toContain(`params.calls[0].${message}`)
  })

  test.each<[string, WrittenCall, string]>([
    ['coins', contractCall('transfer', [someone, '1'], { value: '1' }), 'value: transfer is not payable'],
    [
      'zero',
      contractCall('pay', [someone], { address: zeroAddress }),
      'address: the zero address has no owner',
    ],
    [
      'checksum',
      contractCall('pay', [someone], { address: '0x52908400098527886E0F7030069857D2E4169eE7' }),
      'address: 0x52908400098527886E0F7030069857D2E4169eE7: its checksum is wrong',
    ],
    [
      'both match',
      {
        ...contractCall('f', ['0x01020304']),
        abi: parseAbi(['function f(bytes4)', 'function f(bytes)']) as never,
      },
      'functionName: f(bytes4) and f(bytes) both match: use the full signature',
    ],
    ...(
      [
        ['no type', [{ name: 'x' }], 'abi[0].inputs[0].type: expected a type of Solidity'],
        ['no such type', [{ type: 'uint7' }], 'abi[0].inputs[0].type'],
        ['no list', 'x', 'abi[0].inputs: expected a list of parameters'],
        ['no parameter', [null], 'abi[0].inputs[0]: expected a parameter with its type'],
        [
          'no members',
          [{ type: 'tuple', components: [] }],
          'abi[0].inputs[0].components: expected at least one',
        ],
        ['no components', [{ type: 'tuple' }], 'abi[0].inputs[0].components: expected a list'],
        ['no length', [{ type: 'uint256[0]' }], 'abi[0].inputs[0].type'],
      ] as const
    ).map(([title, inputs, message]): [string, WrittenCall, string] => [
      title,
      { address: target, functionName: 'f', abi: [{ type: 'function', name: 'f', inputs }], args: [] },
      message,
    ]),
    [
      'an error that is none',
      {
        address: target,
        functionName: 'f',
        abi: [
          { type: 'function', name: 'f', inputs: [] },
          { type: 'error', name: 'E', inputs: [{ type: 'x' }] },
        ],
        args: [],
      },
      'abi[1].inputs[0].type: expected a type of Solidity',
    ],
  ])('error: %s', (_, call, message) => {
    expect(refusal(call)).toContain(`params.calls[0].${message}`)
  })
})

describe('a call by its data', () => {
  test('default', () => {
    expect(encode({ to: someone, value: '5', data: '0xAbCd' })).toEqual({
      to: checksummed,
      value: 5n,
      data: '0xAbCd',
    })
    expect(encode({ to: someone, data: '0x' })).toEqual({ to: checksummed, value: 0n, data: '0x' })
  })

  test('error: calls that no chain accepts', () => {
    expect(refusal({ to: zeroAddress, data: '0x' })).toContain(
      'params.calls[0].to: the zero address has no owner',
    )
    expect(refusal({ to: someone, data: '0x1' })).toContain(
      'params.calls[0].data: expected 0x and whole bytes',
    )
    const value = (2n ** 256n).toString()
    expect(refusal({ to: someone, data: '0x', value })).toContain(
      'params.calls[0].value: expected an amount of wei',
    )
  })
})

describe('a serialized transaction', () => {
  const base = { chainId, to: someone, value: 5n, data: '0x1234' } as const
  const accessList = [{ address: someone, storageKeys: [] }] as const
  const signature = { r: `0x${'1'.repeat(64)}`, s: `0x${'2'.repeat(64)}`, yParity: 1, v: 27n } as const

  test.each([
    ['eip1559', serializeTransaction({ type: 'eip1559', ...base })],
    ['eip1559 that is signed', serializeTransaction({ type: 'eip1559', ...base }, signature)],
    ['eip2930', serializeTransaction({ type: 'eip2930', ...base, accessList })],
    ['legacy', serializeTransaction({ type: 'legacy', ...base })],
  ])('default: %s', (_, transaction) => {
    expect(encode({ transaction })).toEqual({ to: checksummed, value: 5n, data: '0x1234' })
  })

  test.each<[string, Hex, string]>([
    ['nonsense', '0x1234', 'expected a transaction, serialized as RLP'],
    ['nothing', '0x', 'expected a transaction, serialized as RLP'],
    [
      'another chain’s',
      serializeTransaction({ type: 'eip1559', ...base, chainId: 1 }),
      'it is for the chain 1, and this one is 84532',
    ],
    [
      'no chain’s',
      serializeTransaction({ type: 'legacy', to: someone, value: 5n }),
      'it names no chain, and this one is 84532',
    ],
    [
      'one that creates a contract',
      serializeTransaction({ type: 'eip1559', chainId, data: '0x1234' }),
      'it creates a contract',
    ],
    [
      'one without a recipient',
      serializeTransaction({ type: 'eip1559', ...base, to: zeroAddress }),
      'the zero address has no owner',
    ],
    [
      'one that lends code',
      serializeTransaction({ type: 'eip7702', ...base, authorizationList: [] }),
      'expected a transaction of type legacy, eip2930, eip1559, not eip7702',
    ],
  ])('error: %s', (_, transaction, message) => {
    expect(refusal({ transaction })).toContain('params.calls[0].transaction: ')
    expect(refusal({ transaction })).toContain(message)
  })
})
