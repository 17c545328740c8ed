import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import { createPasskey } from '../../service/test/helpers/createPasskey.js'
import type { Wallet, WalletToken } from '../../src/schema/index.js'
import { useTwoServices } from './twoServices.js'

const wallets = '/2022-06-09/wallets'
const owner = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const friend = '0x9F3b6b1C0a4e2cF6d1B27F4E5cD0A1b2C3d4E5F6'.toLowerCase()
const { publicKey } = createPasskey()

const compare = useTwoServices()

test('behavior: wallets are made and found alike', () =>
  compare(async (_, { post, ask, log }) => {
    const linkedUser = 'email:Ada@example.com'
    const kept = await post('kept', wallets, { type: 'evm-mpc-wallet', linkedUser })
    await post('again', wallets, { type: 'evm-mpc-wallet', linkedUser: 'email:ada@example.com' })
    const signer = { type: 'evm-keypair', address: owner.toLowerCase() }
    const body = { type: 'evm-smart-wallet', linkedUser, config: { adminSigner: signer } }
    await post('smart', wallets, body)
    await post('with another signer', wallets, { ...body, config: {} })
    const key = { type: 'evm-passkey', id: 'abc', publicKey, name: 'Ada' }
    const passkey = await post('passkey', wallets, {
      ...body,
      linkedUser: 'x:@Ada',
      config: { adminSigner: key },
    })
    const named = { ...signer, locator: `evm-keypair:${owner}`, signer: { type: 'evm-keypair' } }
    await post('a locator with its type, and another field', wallets, {
      type: 'evm-smart-wallet',
      config: { adminSigner: named },
    })
    const decimal = { x: `${BigInt(publicKey.x)}`, y: `${BigInt(publicKey.y)}` }
    const inDecimals = await post('a key in decimals', wallets, {
      type: 'evm-smart-wallet',
      config: { adminSigner: { ...key, publicKey: decimal } },
    })
    log.push(['in decimals', (inDecimals.body as Wallet).config?.adminSigner?.publicKey])
    await post('nulls', wallets, {
      type: 'evm-smart-wallet',
      config: { adminSigner: null },
      linkedUser: null,
    })
    await post('without an owner', wallets, { type: 'evm-smart-wallet' })
    await post('custodial', wallets, {
      type: 'evm-smart-wallet',
      config: { adminSigner: { type: 'evm-kassa-custodial' } },
    })
    await ask('by user', `${wallets}/email%3Aada%40example.com%3Aevm-mpc-wallet`)
    await ask('by handle', `${wallets}/twitter:ada:evm-smart-wallet`)
    await ask('by address', `${wallets}/${(kept.body as Wallet).address}`)
    await ask(
      'by address in capitals',
      `${wallets}/0x${(passkey.body as Wallet).address.slice(2).toUpperCase()}`,
    )
    const { config } = passkey.body as Wallet
    log.push(['the key', config?.adminSigner?.publicKey])
  }))

test('behavior: wallets that cannot be are refused in the same words', () =>
  compare(async (world, { post, ask }) => {
    const type = 'evm-smart-wallet'
    const withSigner = (adminSigner: object) => ({ type, config: { adminSigner } })
    await ask('no body', wallets, { method: 'POST' })
    await post('empty', wallets, {})
    await post('Solana', wallets, { type: 'solana-mpc-wallet' })
    await post('no such user', wallets, { type, linkedUser: 'ada' })
    await post('a signer', wallets, withSigner({ type: 'pen' }))
    await post('a signer of a kept one', wallets, {
      type: 'evm-mpc-wallet',
      config: { adminSigner: { type: 'evm-keypair', address: owner } },
    })
    const custodian = { type: 'evm-kassa-custodial', address: owner }
    await post('a custodian’s address', wallets, withSigner(custodian))
    await ask('no locator', `${wallets}/ada`)
    await ask('no wallet', `${wallets}/email:nobody@example.com:evm-mpc-wallet`)
    await ask('no such address', `${wallets}/${owner}`)
    await ask('on Solana', `${wallets}/7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU`)
    await ask('a method', wallets)
    await ask('another method', `${wallets}/${owner}`, { method: 'PUT', body: {} })
    await ask('a browser’s key', `${wallets}/${owner}`, { headers: { 'x-api-key': world.clientKey } })
    await ask('a malformed key', `${wallets}/${owner}/nfts`, { headers: { 'x-api-key': 'sk' } })
  }))

test('behavior: tokens are listed alike, and vouched for', () =>
  compare(async (world, { ask, log, post, send }) => {
    const bob = 'email:bob@example.com'
    await ask('nothing', `${wallets}/${bob}:base-sepolia/nfts`)
    await world.giveToken(bob)
    await world.giveToken(bob)
    await world.giveToken(friend)
    const listed = await ask('given', `${wallets}/${bob}:base-sepolia/nfts`)
    await ask('first page', `${wallets}/${bob}:base-sepolia/nfts?perPage=1`)
    await ask('third page', `${wallets}/${bob}:base-sepolia/nfts?perPage=1&page=3`)
    await ask('by address', `${wallets}/base-sepolia:${friend}/nfts`)
    await ask('no address', `${wallets}/base-sepolia:${owner.replace('F', 'f')}/nfts`)
    await ask('no identifier', `${wallets}/bob/nfts`)
    await ask('no such chain', `${wallets}/email:bob@example.com:nowhere/nfts`)
    await ask('not here', `${wallets}/email:bob@example.com:polygon/nfts`)
    await ask('a page', `${wallets}/${bob}:base-sepolia/nfts?page=0&perPage=101`)
    await ask('a method', `${wallets}/${bob}:base-sepolia/nfts`, { method: 'POST', body: {} })
    await ask('a browser’s key', `${wallets}/${bob}:base-sepolia/nfts`, {
      headers: { 'x-api-key': world.clientKey },
    })
    const [token] = listed.body as WalletToken[]
    const { contractAddress = '', tokenId = '', locator = '' } = token ?? {}
    const credentials = (name: string) => `/v1-alpha1/nfts/${name}/credentials`
    const { body } = await ask('credential', credentials(encodeURIComponent(locator)))
    const { value } = body as { value: { issuanceDate: string; expirationDate: string } }
    log.push(['good for', Date.parse(value.expirationDate) - Date.parse(value.issuanceDate)])
    await ask('in lower case', credentials(`base-sepolia:${contractAddress.toLowerCase()}:${tokenId}`))
    await ask('no such token', credentials(`base-sepolia:${contractAddress}:123456`))
    await ask('no such contract', credentials(`base-sepolia:${owner}:1`))
    await ask('no locator', credentials('token'))
    await ask('no chain', credentials(`polygon:${owner}:1`))
    await ask('a checksum', credentials(`base-sepolia:${owner.replace('F', 'f')}:1`))
    // The service created this user's wallet when they received a token.
    const { body: kept } = await send(`${wallets}/${bob}:evm-mpc-wallet`)
    log.push(['kept', getAddress((kept as Wallet).address) === (kept as Wallet).address])
    await post('and is theirs', wallets, { type: 'evm-mpc-wallet', linkedUser: bob })
  }))

test('behavior: balances and funding of wallets are the same', () =>
  compare(async (world, { post, ask }) => {
    const linkedUser = 'userId:7'
    const made = await post('a wallet', wallets, { type: 'evm-mpc-wallet', linkedUser })
    const path = '/v1-alpha2/wallets/userId:7:evm-mpc-wallet/balances'
    await ask('empty', path)
    await world.setBalance((made.body as Wallet).address, 3n * 10n ** 18n)
    await ask('rich', `${path}?tokens=eth, usdc&chains=base-sepolia`)
    await ask('unknown here', `${path}?tokens=matic`)
    await ask('a token', `${path}?tokens=shells`)
    await ask('a chain', `${path}?chains=polygon`)
    const noWallet = '/v1-alpha2/wallets/userId:8:evm-mpc-wallet/balances'
    await ask('no such user', noWallet)
    const fund = { token: 'usdc', amount: 2.5, chain: 'base-sepolia' }
    await post('funded', path, fund)
    await post('funded again', path, { ...fund, amount: 100 })
    await ask('richer', path)
    await post('too fine', path, { ...fund, amount: 1.0000001 })
    await post('a chain', path, { ...fund, chain: 'polygon-amoy' })
    await post('no such user is funded', noWallet, fund)
    await ask('a method', path, { method: 'PUT', body: fund })
  }))

test('behavior: a wallet is made once under a key', () =>
  compare(async (_, { post, log }) => {
    const key = { 'x-idempotency-key': 'made once' }
    const first = await post('first', wallets, { type: 'evm-smart-wallet' }, key)
    const second = await post('second', wallets, { type: 'evm-smart-wallet' }, key)
    log.push(['the same', (first.body as Wallet).address === (second.body as Wallet).address])
    await post('another body', wallets, { type: 'evm-mpc-wallet' }, key)
    expect(first.status).toBe(201)
  }))
