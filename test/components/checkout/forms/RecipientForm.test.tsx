import { act, fireEvent, screen } from '@testing-library/react'
import { Checkout, type CheckoutValue } from 'kassa'
import { describe, expect, test, vi } from 'vitest'
import { WagmiProvider } from 'wagmi'
import { connect } from 'wagmi/actions'
import { item, order } from '../../../../stories/fixtures/build.js'
import { createCheckout } from '../../../../stories/fixtures/checkout.js'
import { orders } from '../../../../stories/fixtures/orders.js'
import { connectedBuyer, createWalletConfig, stranger, Wallet } from '../../../../stories/fixtures/wallet.js'
import { describeConformance } from '../../../conformance.js'
import { mount } from '../../mount.js'
import { field, send, write, wrongOf } from '../../writeForm.js'

describeConformance({
  name: 'RecipientForm',
  part: (props) => <Checkout.RecipientForm {...props} />,
  value: createCheckout(orders.requiresRecipient, { isEditing: true }),
  tag: 'form',
  data: { 'data-saving': '' },
})

const label = 'E-mail or wallet address'

const show = (changes: Partial<CheckoutValue> = {}, form = <Checkout.RecipientForm />) => {
  const edit = vi.fn()
  return { edit, ...mount(createCheckout(orders.requiresRecipient, { edit, ...changes }), form) }
}

test('default', () => {
  const { edit } = show()
  expect(screen.getByRole('form', { name: 'Who is this order for?' })).toHaveProperty('noValidate', true)
  expect(field(label)).toMatchObject({ name: 'recipient', required: true, placeholder: '', value: '' })
  expect(field(label).getAttribute('autocomplete')).toBe('email')
  expect(field(label).getAttribute('inputmode')).toBe('email')
  expect(field(label).getAttribute('autocapitalize')).toBe('none')
  write({ [label]: ' ada@example.com ' })
  send()
  expect(edit).toHaveBeenCalledExactlyOnceWith({ recipient: { email: 'ada@example.com' } })
})

test.each([
  ['an e-mail address', '0x@example.com', { email: '0x@example.com' }],
  ['an EVM account', connectedBuyer, { walletAddress: connectedBuyer }],
  ['one without its checksum', connectedBuyer.toLowerCase(), { walletAddress: connectedBuyer.toLowerCase() }],
])('behavior: one field takes %s', (_, text, recipient) => {
  const { edit } = show()
  write({ [label]: text })
  send()
  expect(edit).toHaveBeenCalledExactlyOnceWith({ recipient })
})

test.each([
  ['nothing', '', 'Fill this in.'],
  ['blanks', '   ', 'Fill this in.'],
  ['half an e-mail address', 'ada@example', 'Write it like name@example.com.'],
  ['a name', 'ada', 'Write it like name@example.com.'],
  ['half an account', '0x12ab', 'Write it like 0x12Ab…89Ef.'],
  ['an account with a digit too many', `${connectedBuyer}0`, 'Write it like 0x12Ab…89Ef.'],
  ['an account of Solana', '9wFFyRfZBsuAha4YcuxcXLKwMxJR43S7fPfQLusDBzvT', 'Write it like 0x12Ab…89Ef.'],
  ['an account with a slip', connectedBuyer.replace('3', '8'), 'Write it like 0x12Ab…89Ef.'],
])('behavior: of %s it says what is wrong, and sends nothing', (_, text, said) => {
  const { edit } = show()
  write({ [label]: text })
  send()
  expect(wrongOf(label)).toBe(said)
  expect(document.activeElement).toBe(field(label))
  expect(edit).not.toHaveBeenCalled()
})

test('parameters: asksFor', () => {
  const { edit, unmount } = show({}, <Checkout.RecipientForm asksFor="email" />)
  expect(field('E-mail')).toMatchObject({ name: 'email', type: 'email' })
  write({ 'E-mail': connectedBuyer })
  send()
  expect(wrongOf('E-mail')).toBe('Write it like name@example.com.')
  write({ 'E-mail': 'ada@example.com' })
  send()
  expect(edit).toHaveBeenCalledExactlyOnceWith({ recipient: { email: 'ada@example.com' } })
  unmount()

  const wallet = show({}, <Checkout.RecipientForm asksFor="walletAddress" />)
  expect(field('Wallet address').getAttribute('autocomplete')).toBe('off')
  write({ 'Wallet address': 'ada@example.com' })
  send()
  expect(wrongOf('Wallet address')).toBe('Write it like 0x12Ab…89Ef.')
  write({ 'Wallet address': connectedBuyer })
  send()
  expect(wallet.edit).toHaveBeenCalledExactlyOnceWith({ recipient: { walletAddress: connectedBuyer } })
})

test('parameters: isOpen', () => {
  const sent = order({ lineItems: [item({ delivery: { recipient: { email: 'ada@example.com' } } })] })
  const { unmount } = show({ order: sent }, <Checkout.RecipientForm isOpen />)
  expect(field(label).value).toBe('ada@example.com')
  unmount()
  const recipient = { walletAddress: connectedBuyer }
  const known = order({ lineItems: [item({ delivery: { recipient } })] })
  const { edit } = show({ order: known }, <Checkout.RecipientForm isOpen />)
  send()
  expect(edit).toHaveBeenCalledExactlyOnceWith({ recipient })
})

test('parameters: isOpen, false, or before there is an order', () => {
  show({}, <Checkout.RecipientForm isOpen={false} />)
  expect(screen.queryByRole('form')).toBe(null)
  show({ order: undefined }, <Checkout.RecipientForm isOpen />)
  expect(screen.queryByRole('form')).toBe(null)
})

test('parameters: children', () => {
  const { edit } = show(
    {},
    <Checkout.RecipientForm>
      <Checkout.Field name="email">
        <Checkout.FieldLabel>Where shall it go?</Checkout.FieldLabel>
        <Checkout.FieldInput />
      </Checkout.Field>
      <input name="newsletter" defaultValue="" />
      <button type="submit">Continue</button>
    </Checkout.RecipientForm>,
  )
  write({ 'Where shall it go?': 'ada@example.com' })
  send()
  expect(edit).toHaveBeenCalledExactlyOnceWith({ recipient: { email: 'ada@example.com' } })
})

test('behavior: offers the wallet that is connected', () => {
  const { edit } = show(
    {},
    <Wallet account={connectedBuyer}>
      <Checkout.RecipientForm />
    </Wallet>,
  )
  send()
  expect(edit).toHaveBeenCalledExactlyOnceWith({ recipient: { walletAddress: connectedBuyer } })
})

describe('behavior: a wallet that is connected later', () => {
  const connectLater = async (text: string) => {
    const config = createWalletConfig()
    show(
      {},
      <WagmiProvider config={config} reconnectOnMount={false}>
        <Checkout.RecipientForm />
      </WagmiProvider>,
    )
    if (text) write({ [label]: text })
    const [connector] = config.connectors
    if (!connector) throw new Error('There is no wallet')
    await act(() => connect(config, { connector }))
    return { config, connector, value: field(label).value }
  }

  test('is offered in an empty field', async () => {
    expect((await connectLater('')).value).toBe(connectedBuyer)
  })

  test('takes nothing from who has begun to write', async () => {
    expect((await connectLater('ada@')).value).toBe('ada@')
  })

  test('stays what is offered when another account takes its place', async () => {
    const { config, connector } = await connectLater('')
    const connection = { accounts: [stranger], chainId: config.chains[0].id, connector } as const
    act(() => config.setState((state) => ({ ...state, connections: new Map([[connector.uid, connection]]) })))
    expect(field(label).value).toBe(connectedBuyer)
  })
})

test('behavior: absent at any other stage', () => {
  const { show: showNext } = show()
  for (const next of [orders.awaitingPaymentNative, orders.requiresPhysicalAddress, undefined]) {
    showNext(createCheckout(next, { edit: vi.fn() }))
    expect(screen.queryByRole('form')).toBe(null)
  }
})

test('behavior: absent once a payment was seen that may pay for the order, also when it is to be open', () => {
  mount(createCheckout(orders.underpaid, { edit: () => {} }), <Checkout.RecipientForm isOpen />)
  expect(screen.queryByRole('form')).toBe(null)
})

test('behavior: preventDefault in the caller’s handler stops the change', () => {
  const { edit } = show({}, <Checkout.RecipientForm onSubmit={(event) => event.preventDefault()} />)
  write({ [label]: 'ada@example.com' })
  send()
  expect(edit).not.toHaveBeenCalled()
})

test('behavior: a checkout that cannot be changed keeps what was written', () => {
  show({ edit: undefined })
  write({ [label]: 'ada@example.com' })
  fireEvent.submit(screen.getByRole('form'))
  expect(field(label).value).toBe('ada@example.com')
})
