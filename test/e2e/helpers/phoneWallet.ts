import jsQr from 'jsqr'
import type { Locator, Page } from 'playwright'
import {
  type Address,
  type Chain,
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  parseAbi,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { baseSepolia, polygonAmoy } from 'viem/chains'
import { getAssociatedTokens, programs } from '../../../src/engine/solana/orderAccounts.js'
import { toBaseUnits } from '../../../src/schema/baseUnits.js'
import { encodeMessage, writeUnits } from '../../../src/testing/solana/encodeMessage.js'
import { createSolanaKey, signatureOf } from '../../helpers/scriptedSolanaWallet.js'
import { fund, rpcUrlOf } from './chain.js'

type Stack = { serviceUrl: string }

/** A transaction as a payment request (EIP-681) asks for it. */
type Request = { chainId: number; to: Address; value: bigint; data: Hex; gas?: bigint }

/** Reads a request with a function call, and encodes the call from the types and values of its query alone. */
const readRequest = (uri: string): Request => {
  const match = /^ethereum:(0x[0-9a-fA-F]{40})@(\d+)\/(\w+)\?(.+)$/.exec(uri)
  if (!match) throw new Error(`not a payment request: ${uri}`)
  const [, to, chainId, functionName, query] = match
  const { value = '0', ...args } = Object.fromEntries(new URLSearchParams(query))
  const abi = parseAbi([`function ${functionName}(${Object.keys(args).join()})`] as string[])
  const data = encodeFunctionData({ abi, functionName, args: Object.values(args) } as never)
  return { chainId: Number(chainId), to: to as Address, value: BigInt(value), data }
}

/** Reads the pixels of a QR code as a camera does: from a picture of the screen. */
export const scan = async (code: Locator): Promise<string> => {
  const picture = await code.screenshot()
  const page = await code.page().context().newPage()
  const { pixels, width, height } = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
    if (!canvas) throw new Error('The browser draws nothing.')
    canvas.drawImage(bitmap, 0, 0)
    const { data } = canvas.getImageData(0, 0, bitmap.width, bitmap.height)
    return { pixels: [...data], width: bitmap.width, height: bitmap.height }
  }, picture.toString('base64'))
  await page.close()
  // A camera does not invert colours by itself: the code must be dark on light.
  const options = { inversionAttempts: 'dontInvert' } as const
  const read = jsQr.default(Uint8ClampedArray.from(pixels), width, height, options)
  if (!read) throw new Error('the picture holds no QR code')
  return read.data
}

/** The QR code of a page's transfer. */
export const codeOf = (page: Page): Locator => page.getByRole('img', { name: /^QR code to pay / })

const chains: readonly Chain[] = [baseSepolia, polygonAmoy]

/** A wallet on another device, with test funds. It knows of an order only what it scans. */
export const createPhoneWallet = async (stack: Stack, chain: 'base-sepolia' | 'polygon-amoy') => {
  const account = privateKeyToAccount(generatePrivateKey())
  await fund(stack, chain, account.address)
  const transport = http(rpcUrlOf(stack, chain))
  const node = createPublicClient({ transport })

  const send = async ({ chainId, ...transaction }: Request): Promise<Hex> => {
    const known = chains.find(({ id }) => id === chainId)
    if (!known || chainId !== (await node.getChainId())) throw new Error(`chain ${chainId} is not here`)
    const client = createWalletClient({ account, chain: known, transport })
    const hash = await client.sendTransaction(transaction)
    const { status } = await node.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`${hash} was reverted`)
    return hash
  }

  return {
    address: account.address,
    /** Pays what a request asks for. */
    pay: (uri: string) => send(readRequest(uri)),
    /** Pays as a wallet does that ignores the call of a request: the plain value, to its recipient, unestimated. */
    payWithoutCall: (uri: string) => send({ ...readRequest(uri), data: '0x', gas: 100_000n }),
  }
}

const tokenDecimals = 6

/** A wallet of Solana on another device, with test funds. It knows of an order only what it scans. */
export const createSolanaPhone = async (stack: Stack) => {
  const key = createSolanaKey()
  await fund(stack, 'solana', key.address)

  const ask = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const response = await fetch(`${stack.serviceUrl}/rpc/solana`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } }
    if (error) throw new Error(error.message)
    return result
  }

  return {
    address: key.address,
    /** Pays the token that a request of Solana Pay asks for, and opens the account of its recipient if there is none. */
    pay: async (uri: string): Promise<string> => {
      const { pathname: owner, searchParams } = new URL(uri)
      const [mint = '', amount = ''] = [searchParams.get('spl-token'), searchParams.get('amount')].map(String)
      const units = toBaseUnits(amount, tokenDecimals)
      if (units === undefined) throw new Error(`not an amount: ${amount}`)
      const account = { address: getAssociatedTokens(owner, mint), isWritable: true }
      const payer = { address: key.address, isSigner: true, isWritable: true }
      const named = searchParams.getAll('reference').map((address) => ({ address }))
      const { value } = (await ask('getLatestBlockhash', [])) as { value: { blockhash: string } }
      const source = { address: getAssociatedTokens(key.address, mint), isWritable: true }
      const message = encodeMessage({
        feePayer: key.address,
        blockhash: value.blockhash,
        instructions: [
          {
            program: programs.associatedToken,
            accounts: [
              payer,
              account,
              ...[owner, mint, programs.system, programs.token].map((address) => ({ address })),
            ],
            data: [1],
          },
          {
            program: programs.memo,
            accounts: [],
            data: [...new TextEncoder().encode(searchParams.get('memo') ?? '')],
          },
          {
            program: programs.token,
            accounts: [
              source,
              { address: mint },
              account,
              { address: key.address, isSigner: true },
              ...named,
            ],
            data: [12, ...writeUnits(units), tokenDecimals],
          },
        ],
      })
      const signed = key.sign(message)
      await ask('sendTransaction', [Buffer.from(signed).toString('base64'), { encoding: 'base64' }])
      return signatureOf(signed)
    },
  }
}
