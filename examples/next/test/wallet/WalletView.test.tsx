import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createWallet } from 'kassa/api'
import { createTestService, createTestWalletClient, installTestAuthenticator } from 'kassa/testing'
import { createPasskey, WalletProvider } from 'kassa/wallet'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WalletView } from '../../components/wallet/WalletView'
import { InEnglish } from '../helpers/english'

const email = 'ada@example.com'
const user = `email:${email}`

let authenticator: ReturnType<typeof installTestAuthenticator>
beforeEach(() => {
  authenticator = installTestAuthenticator()
})
afterEach(() => {
  cleanup()
  authenticator.remove()
})

/** Opens Ada's page, or another device of hers: both use the same handler. */
const open = () => {
  const service = createTestService()
  const client = createTestWalletClient({ service, user })
  const other = createTestWalletClient({ service, user, canCreate: () => true })
  const show = () =>
    render(
      <QueryClientProvider client={new QueryClient()}>
        <WalletProvider client={client}>
          <InEnglish>
            <WalletView email={email} networks={[]} issuer={undefined} signOut={async () => {}} />
          </InEnglish>
        </WalletProvider>
      </QueryClientProvider>,
    )
  return { other, show }
}

const press = async () =>
  fireEvent.click(await screen.findByRole('button', { name: 'Create a wallet with a passkey' }))

test('default: the new passkey opens the wallet', async () => {
  open().show()
  await press()
  await screen.findByText(/^Only your passkey/)
  expect(screen.queryByRole('alert')).toBeNull()
})

test('error: the new passkey does not open a wallet that was created meanwhile', async () => {
  const { other, show } = open()
  show()
  await screen.findByRole('button', { name: 'Create a wallet with a passkey' })
  const adminSigner = await createPasskey({ name: email })
  await createWallet(other, { body: { type: 'evm-smart-wallet', config: { adminSigner } } })
  await press()
  expect((await screen.findByRole('alert')).textContent).toContain('does not open it')
})

test("error: a wallet that the service signs for is not described as the owner's alone", async () => {
  const { other, show } = open()
  await createWallet(other, { body: { type: 'evm-smart-wallet' } })
  show()
  await screen.findByText(/keeps the key of this wallet too/)
  expect(screen.queryByText(/^Only your passkey/)).toBeNull()
})
