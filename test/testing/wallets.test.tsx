import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { StrictMode } from 'react'
import { parseAbi } from 'viem'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WagmiProvider } from 'wagmi'
import { type Client, createOrder, createWallet } from '../../src/api/index.js'
import {
  createTestService,
  createTestWallet,
  createTestWalletClient,
  installTestAuthenticator,
  type TestService,
} from '../../src/testing/index.js'
import {
  createPasskey,
  type TransactionStep,
  useBalances,
  useTransaction,
  useTransactions,
  useWallet,
  useWalletTokens,
  type WalletToken,
} from '../../src/wallet/index.js'

// The page asks for news in its own time.

const ada = 'email:ada@example.com'
const friend = '0x00000000000000000000000000000000000000f1'
const abi = parseAbi(['function safeTransferFrom(address from, address to, uint256 tokenId)'])

type PageProps = { client: Client; type: 'evm-mpc-wallet' | 'evm-smart-wallet' }

const describe = (step: TransactionStep): string =>
  step.status === 'failed' ? `failed: ${step.error.code}: ${step.error.message}` : step.status

/** What a merchant writes: a token, and a button that sends it on. */
function Item({ client, type, owner, token }: PageProps & { owner: string; token: WalletToken }) {
  const walletLocator = `me:${type}`
  const { step, send, approve, reset } = useTransaction({ client, walletLocator, name: token.locator })
  const call = {
    address: token.contractAddress ?? '',
    functionName: 'safeTransferFrom',
    abi,
    args: [owner, friend, token.tokenId],
  }
  const chain = 'base-sepolia'
  return (
    <li>
      {token.metadata.name} <output>{describe(step)}</output>
      <button
        type="button"
        onClick={() => send(type === 'evm-mpc-wallet' ? { chain, call } : { chain, calls: [call] })}
      >
        Send
      </button>
      <button type="button" onClick={approve}>
        Approve
      </button>
      <button type="button" onClick={reset}>
        Back
      </button>
    </li>
  )
}

function Page({ client, type }: PageProps) {
  const walletLocator = `me:${type}`
  const wallet = useWallet({ client, walletLocator })
  const tokens = useWalletTokens({ client, identifier: 'me:base-sepolia' })
  const transactions = useTransactions({ client, walletLocator })
  const balances = useBalances({ client, walletLocator, tokens: ['eth'], chains: ['base-sepolia'] })
  const error = wallet.error ?? tokens.error
  if (error) return <p role="alert">{`${error.code}: ${error.message}`}</p>
  const { address } = wallet.data ?? {}
  return (
    <>
      <p>{tokens.data && `${tokens.data.length} tokens`}</p>
      <p>{transactions.data && `${transactions.data.transactions.length} transactions`}</p>
      <p>{balances.data && `${balances.data[0]?.balances.total} wei`}</p>
      <ul>
        {tokens.data?.map((token) =>
          address === undefined ? null : (
            <Item key={token.locator} {...{ client, type, token }} owner={address} />
          ),
        )}
      </ul>
    </>
  )
}

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

/** Opens the page as a reload would, with nothing remembered but what the browser keeps. */
const show = (service: TestService, props: PageProps, isConnected = true) => {
  const signer = createTestWallet({ service, isConnected })
  render(
    <StrictMode>
      <WagmiProvider config={signer.config}>
        <QueryClientProvider client={new QueryClient()}>
          <Page {...props} />
        </QueryClientProvider>
      </WagmiProvider>
    </StrictMode>,
  )
  return signer
}

/** Ada's page, with a token in her wallet. */
const open = async (type: PageProps['type']) => {
  const service = createTestService()
  const client = createTestWalletClient({ service, user: ada, canCreate: () => true })
  const signer = createTestWallet({ service })
  const adminSigner = { type: 'evm-keypair', address: signer.address } as const
  const config = type === 'evm-smart-wallet' ? { adminSigner } : {}
  const { address } = await createWallet(client, { body: { type, config } })
  const token = service.giveToken(address, { name: 'Dune 7' })
  return { service, client, address, token, signer: show(service, { client, type }) }
}

beforeEach(() => sessionStorage.clear())
afterEach(cleanup)

test('default: what was bought by e-mail is seen, and sent on', async () => {
  const service = createTestService()
  const client = createTestWalletClient({ service, user: ada })
  const { order } = await createOrder(service.client, {
    body: {
      recipient: { email: 'Ada@example.com' },
      payment: { method: 'base-sepolia', currency: 'eth', payerAddress: friend },
      lineItems: { collectionLocator: 'kassa:dunes-at-dusk' },
    },
  })
  service.pay(order.orderId)
  service.advance(2_000)
  show(service, { client, type: 'evm-mpc-wallet' })
  await screen.findByText('Dunes at Dusk #1')
  await screen.findByText('0 wei')
  await press('Send')
  await screen.findByText('pending')
  service.advance(1_000)
  expect(service.getTokens(`base-sepolia:${friend}`)).toHaveLength(1)
  service.advance(1_000)
  await screen.findByText('0 tokens')
  await screen.findByText('1 transactions')
})

test('behavior: an account approves with its wallet', async () => {
  const { service, signer, address } = await open('evm-smart-wallet')
  await press('Send')
  await screen.findByText('pending')
  expect(signer.requests.filter(({ method }) => method === 'personal_sign')).toHaveLength(1)
  service.advance(2_000)
  await screen.findByText('0 tokens')
  expect(service.getTokens(`base-sepolia:${address}`)).toEqual([])
  expect(service.getTokens(`base-sepolia:${friend}`)[0]?.metadata.name).toBe('Dune 7')
})

test('behavior: what was declined can be approved after all', async () => {
  const { service, signer } = await open('evm-smart-wallet')
  await screen.findByText('Dune 7')
  signer.rejectNext()
  await press('Send')
  await screen.findByText(/^failed: transaction\.rejected/)
  await press('Approve')
  await screen.findByText('pending')
  service.advance(2_000)
  await screen.findByText('0 tokens')
})

test('behavior: after a reload it goes on where it was', async () => {
  const { service, client, signer } = await open('evm-smart-wallet')
  await screen.findByText('Dune 7')
  signer.rejectNext()
  await press('Send')
  await screen.findByText(/^failed: transaction\.rejected/)
  cleanup()
  show(service, { client, type: 'evm-smart-wallet' })
  await screen.findByText('awaiting-approval')
  await press('Approve')
  await screen.findByText('pending')
  cleanup()
  show(service, { client, type: 'evm-smart-wallet' })
  await screen.findByText('pending')
  service.advance(2_000)
  await screen.findByText('0 tokens')
  expect(
    service.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/transactions')),
  ).toHaveLength(1)
})

test('behavior: a double click sends once', async () => {
  const { service } = await open('evm-mpc-wallet')
  await screen.findByText('Dune 7')
  await userEvent.dblClick(screen.getByRole('button', { name: 'Send' }))
  await screen.findByText('pending')
  expect(
    service.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/transactions')),
  ).toHaveLength(1)
})

test('behavior: a passkey approves, once its owner agrees', async () => {
  const authenticator = installTestAuthenticator()
  const service = createTestService()
  const client = createTestWalletClient({ service, user: ada })
  const type = 'evm-smart-wallet'
  const adminSigner = await createPasskey({ name: 'ada@example.com' })
  expect(authenticator.ids).toEqual([adminSigner.id])
  const { address } = await createWallet(client, { body: { type, config: { adminSigner } } })
  service.giveToken(address, { name: 'Dune 7' })
  show(service, { client, type }, false)
  await screen.findByText('Dune 7')
  authenticator.rejectNext()
  await press('Send')
  await screen.findByText(/^failed: transaction\.rejected/)
  await press('Approve')
  await screen.findByText('pending')
  service.advance(2_000)
  await screen.findByText('0 tokens')
  authenticator.remove()
  expect('PublicKeyCredential' in globalThis).toBe(false)
  await expect(createPasskey({ name: 'eve' })).rejects.toMatchObject({ code: 'passkey.unavailable' })
})

test('error: a transaction that would revert is refused before a signature is requested', async () => {
  const { service, signer } = await open('evm-smart-wallet')
  await screen.findByText('Dune 7')
  service.refuseNextTransaction('the doors are shut')
  await press('Send')
  await screen.findByText(/^failed: transaction\.reverted: .*the doors are shut/)
  await press('Back')
  await screen.findByText('idle')
  expect(signer.requests.filter(({ method }) => method === 'personal_sign')).toEqual([])
  await press('Send')
  await screen.findByText('pending')
})

test('error: what reverts on its chain has failed, and nothing has moved', async () => {
  const { service, address } = await open('evm-mpc-wallet')
  await screen.findByText('Dune 7')
  service.failNextTransaction('the doors are shut')
  await press('Send')
  await screen.findByText('pending')
  service.advance(2_000)
  await screen.findByText(/^failed: transaction\.reverted: .*the doors are shut/)
  expect(service.getTokens(`base-sepolia:${address}`)).toHaveLength(1)
})

test('error: an unapproved transaction is final after an hour', async () => {
  const { service, signer } = await open('evm-smart-wallet')
  await screen.findByText('Dune 7')
  signer.rejectNext()
  await press('Send')
  await screen.findByText(/^failed: transaction\.rejected/)
  service.advance(3_600_000)
  await press('Approve')
  await screen.findByText(/^failed: api\.bad-request: .*too late/)
  service.advance(60_000)
  await screen.findByText(/^failed: transaction\.failed: .*The transaction was not approved in time/)
})
