import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { Client } from 'kassa/api'
import { createTestService, createTestWalletClient } from 'kassa/testing'
import { createTransfer, useTransaction, useWallet, useWalletTokens } from 'kassa/wallet'
import { afterEach, expect, test } from 'vitest'

const friend = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'

// Your own page, which takes its client from outside.
const Tickets = ({ client }: { client: Client }) => {
  const walletLocator = 'me:evm-mpc-wallet'
  const { data: wallet } = useWallet({ client, walletLocator })
  const { data: tokens = [] } = useWalletTokens({ client, identifier: 'me:base-sepolia' })
  const { step, send } = useTransaction({ client, walletLocator })
  return (
    <>
      {wallet &&
        tokens.map((token) => {
          const params = createTransfer({ token, from: wallet, to: friend })
          return (
            <button key={token.locator} type="button" onClick={() => params && send(params)}>
              Give {token.metadata.name}
            </button>
          )
        })}
      <output>{step.status === 'failed' ? step.error.message : step.status}</output>
    </>
  )
}

afterEach(() => {
  cleanup()
  sessionStorage.clear()
})

/** Opens the page of a signed-in user with a ticket. */
const visit = () => {
  const service = createTestService()
  service.giveToken('email:ada@example.com', { name: 'Ticket 7' })
  const client = createTestWalletClient({ service, user: 'email:ada@example.com' })
  const give = async () => userEvent.click(await screen.findByRole('button', { name: 'Give Ticket 7' }))
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Tickets client={client} />
    </QueryClientProvider>,
  )
  return { service, give }
}

test('default: gives a ticket away', async () => {
  const { service, give } = visit()
  await give()
  await screen.findByText('pending')
  // It reaches its block, and is final.
  service.advance(2_000)
  await screen.findByText('succeeded')
  expect(service.getTokens(`base-sepolia:${friend}`)).toHaveLength(1)
})

test('error: says why a ticket cannot be given', async () => {
  const { service, give } = visit()
  service.refuseNextTransaction('the doors are open')
  await give()
  await screen.findByText(/the doors are open/)
})
