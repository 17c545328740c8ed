import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, renderHook, waitFor, within } from '@testing-library/react'
import { type ReactNode, StrictMode } from 'react'
import { afterEach, describe, expect, inject, test, vi } from 'vitest'
import { WagmiProvider } from 'wagmi'
import { isKassaError } from '../../src/api/index.js'
import { CheckoutProvider } from '../../src/components/CheckoutProvider.js'
import { CheckoutDevtools, type CheckoutDevtoolsProps } from '../../src/devtools/CheckoutDevtools.js'
import { useCheckoutDevtools } from '../../src/devtools/useCheckoutDevtools.js'
import { useOrder } from '../../src/hooks/useOrder.js'
import { usePayOrder } from '../../src/hooks/usePayOrder.js'
import { type Buyer, createBuyer } from '../helpers/createBuyer.js'
import { renderBuyerHook } from '../hooks/wrapper.js'

const shop = inject('shop')

// The service is a real one, on machines that are busy.

afterEach(() => {
  cleanup()
  localStorage.clear()
})

/** A buyer of a service that says it is a sandbox. */
const createSandboxBuyer = (): Promise<Buyer> =>
  createBuyer(shop, {
    fetch: async (input, init) =>
      String(input).endsWith('/sandbox')
        ? Response.json({ chains: { 'base-sepolia': {} } })
        : fetch(input, init),
  })

const Phase = ({ buyer }: { buyer: Buyer }) => {
  const { data } = useOrder(buyer.parameters)
  const { step, pay } = usePayOrder(buyer.parameters)
  return (
    <button type="button" onClick={() => pay()}>
      {data?.phase} {step.status}
    </button>
  )
}

const mount = (buyer: Buyer, props: CheckoutDevtoolsProps = {}, children?: ReactNode) => {
  const app = render(
    <StrictMode>
      <WagmiProvider config={buyer.config} reconnectOnMount={false}>
        <QueryClientProvider client={buyer.queryClient}>
          <CheckoutProvider client={buyer.client} storage={buyer.storage} {...buyer.parameters.rules}>
            <Phase buyer={buyer} />
            {children}
            <CheckoutDevtools {...props} />
          </CheckoutProvider>
        </QueryClientProvider>
      </WagmiProvider>
    </StrictMode>,
  )
  const shadow = document.querySelector('kassa-devtools')?.shadowRoot
  const inside = shadow?.querySelector<HTMLElement>('.devtools')
  if (!shadow || !inside) throw new Error('the panel is not there')
  return { app, shadow, panel: within(inside) }
}

/** What the document pads itself with for a docked panel. */
const readPadding = (): string | undefined =>
  document.adoptedStyleSheets
    .flatMap((sheet) =>
      [...sheet.cssRules].map(({ cssText }) => /padding-(?:bottom|right): .*/.exec(cssText)?.[0]),
    )
    .find(Boolean)

const press = (element: Element): Promise<void> =>
  act(async () => {
    fireEvent.click(element)
  })

const openTab = async ({ panel }: Pick<ReturnType<typeof mount>, 'panel'>, name: string): Promise<void> => {
  const toggle = panel.queryByRole('button', { name: /Checkout devtools/ })
  if (toggle) await press(toggle)
  await press(panel.getByRole('tab', { name }))
}

describe('CheckoutDevtools', () => {
  test('default: a button in a corner, and nothing in the app', async () => {
    const buyer = await createSandboxBuyer()
    const { app, panel } = mount(buyer)
    await app.findByText('payment idle')
    await panel.findByRole('button', { name: 'Checkout devtools: payment' })
    expect(panel.queryByRole('dialog')).toBe(null)
    expect(app.container.childElementCount).toBe(1)
    expect(document.querySelectorAll('kassa-devtools')).toHaveLength(1)
    app.unmount()
    expect(document.querySelector('kassa-devtools')).toBe(null)
  })

  test('parameters: isOpen, corner, theme', async () => {
    const { shadow, panel } = mount(await createSandboxBuyer(), {
      isOpen: true,
      corner: 'top-left',
      theme: 'dark',
    })
    expect(panel.getByRole('dialog', { name: 'Kassa devtools' })).toBeDefined()
    expect(panel.getByRole('separator').getAttribute('aria-orientation')).toBe('horizontal')
    const element = shadow.querySelector('.devtools')
    expect(element?.getAttribute('data-corner')).toBe('top-left')
    expect(element?.getAttribute('data-theme')).toBe('dark')
  })

  test('parameters: side', async () => {
    const { panel } = mount(await createSandboxBuyer(), { isOpen: true, side: 'right' })
    const edge = panel.getByRole('separator', { name: 'Size of the devtools' })
    expect(edge.getAttribute('aria-orientation')).toBe('vertical')
    const read = () => Number(edge.getAttribute('aria-valuenow'))
    const before = read()
    act(() => void fireEvent.keyDown(edge, { key: 'ArrowLeft' }))
    expect(read()).toBeGreaterThan(before)
    act(() => void fireEvent.keyDown(edge, { key: 'ArrowRight' }))
    expect(read()).toBe(before)
    expect(readPadding()).toMatch(/^padding-right: min\(480px, 60vw\)/)
  })

  test('parameters: orderId', async () => {
    const buyer = await createSandboxBuyer()
    const { app, panel } = mount(buyer, { orderId: 'another-order', isOpen: true })
    await app.findByText('payment idle')
    await openTab({ panel }, 'Payment')
    expect(panel.getByText('There is no order on this page yet.')).toBeDefined()
  })

  test('behavior: the page has room for it while it is open', async () => {
    const { app, panel } = mount(await createSandboxBuyer())
    expect(readPadding()).toBe(undefined)
    await press(panel.getByRole('button', { name: /Checkout devtools/ }))
    expect(readPadding()).toMatch(/^padding-bottom: min\(320px, 80vh\)/)
    await press(panel.getByRole('button', { name: 'Close' }))
    expect(readPadding()).toBe(undefined)
    await press(panel.getByRole('button', { name: /Checkout devtools/ }))
    app.unmount()
    await waitFor(() => expect(readPadding()).toBe(undefined))
  })

  test('behavior: its edge moves by keyboard, within limits, and the app hears nothing of it', async () => {
    const { panel } = mount(await createSandboxBuyer(), { isOpen: true })
    const onKeyDown = vi.fn()
    document.addEventListener('keydown', onKeyDown)
    const edge = panel.getByRole('separator')
    const key = (name: string): number => {
      act(() => void fireEvent.keyDown(edge, { key: name }))
      return Number(edge.getAttribute('aria-valuenow'))
    }
    const first = Number(edge.getAttribute('aria-valuenow'))
    expect(key('ArrowUp')).toBeGreaterThan(first)
    expect(key('ArrowDown')).toBe(first)
    const [least, most] = [key('Home'), key('ArrowDown')]
    expect(most).toBe(least)
    expect(String(least)).toBe(edge.getAttribute('aria-valuemin'))
    expect(String(key('End'))).toBe(edge.getAttribute('aria-valuemax'))
    expect(onKeyDown).not.toHaveBeenCalled()
    document.removeEventListener('keydown', onKeyDown)
  })

  test('behavior: a later visit finds it as it was left, whatever isOpen says', async () => {
    const buyer = await createSandboxBuyer()
    const first = mount(buyer)
    await press(first.panel.getByRole('button', { name: /Checkout devtools/ }))
    act(() => void fireEvent.keyDown(first.panel.getByRole('separator'), { key: 'ArrowUp' }))
    const size = first.panel.getByRole('separator').getAttribute('aria-valuenow')
    cleanup()
    const second = mount(buyer)
    expect(second.panel.getByRole('separator').getAttribute('aria-valuenow')).toBe(size)
    await press(second.panel.getByRole('button', { name: 'Close' }))
    cleanup()
    expect(mount(buyer, { isOpen: true }).panel.queryByRole('dialog')).toBe(null)
  })

  test.each(['{', '[1]', '{"isOpen":"yes","bottom":"tall"}', 'null'])(
    'behavior: storage that holds %s opens it as on a first visit',
    async (stored) => {
      localStorage.setItem('kassa.devtools', stored)
      const { panel } = mount(await createSandboxBuyer(), { isOpen: true })
      expect(panel.getByRole('separator').getAttribute('aria-valuenow')).toBe('320')
    },
  )

  test('behavior: it works where storage is blocked', async () => {
    const blocked = vi.spyOn(globalThis, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    })
    const { panel } = mount(await createSandboxBuyer())
    await press(panel.getByRole('button', { name: /Checkout devtools/ }))
    expect(panel.getByRole('dialog')).toBeDefined()
    blocked.mockRestore()
  })

  test('behavior: its style is its own', async () => {
    const before = document.styleSheets.length
    const { shadow } = mount(await createSandboxBuyer())
    expect(document.styleSheets).toHaveLength(before)
    expect(shadow.adoptedStyleSheets).toHaveLength(1)
    expect(document.querySelector<HTMLElement>('kassa-devtools')?.style.getPropertyPriority('all')).toBe(
      'important',
    )
  })

  test('behavior: arrow keys move through the tabs, and Escape closes the panel and nothing of the app', async () => {
    const { panel } = mount(await createSandboxBuyer(), { isOpen: true })
    const onKeyDown = vi.fn()
    document.addEventListener('keydown', onKeyDown)
    const key = (name: string) => fireEvent.keyDown(panel.getByRole('tab', { selected: true }), { key: name })
    const selected = () => panel.getByRole('tab', { selected: true }).textContent
    act(() => void key('ArrowRight'))
    expect(selected()).toBe('Requests')
    act(() => void key('End'))
    expect(selected()).toBe('Force')
    act(() => void key('ArrowRight'))
    expect(selected()).toBe('Timeline')
    act(() => void key('ArrowLeft'))
    act(() => void key('Home'))
    expect(selected()).toBe('Timeline')
    act(() => void key('Escape'))
    expect(panel.queryByRole('dialog')).toBe(null)
    expect(onKeyDown).not.toHaveBeenCalled()
    document.removeEventListener('keydown', onKeyDown)
  })

  test('behavior: each tab shows a purchase, and none shows a secret', async () => {
    const buyer = await createSandboxBuyer()
    const { app, shadow, panel } = mount(buyer, { isOpen: true })
    await press(await app.findByText('payment idle'))
    await app.findByText('completed paid')
    await waitFor(() => expect(panel.getAllByText('awaiting-signature').length).toBeGreaterThan(0))
    expect(panel.getByText('Order read')).toBeDefined()
    expect(panel.getByText('Checked')).toBeDefined()
    let text = shadow.innerHTML
    await openTab({ panel }, 'Requests')
    expect(panel.getAllByText('GET order').length).toBeGreaterThan(1)
    expect(panel.getByText('POST order/payment')).toBeDefined()
    text += shadow.innerHTML
    await openTab({ panel }, 'Payment')
    expect(panel.getByText(/^passed at block \d+$/)).toBeDefined()
    expect(panel.getByText('Attempt 1')).toBeDefined()
    expect(await panel.findByText('settled')).toBeDefined()
    text += shadow.innerHTML
    expect(text).not.toContain(buyer.clientSecret)
  })

  test('behavior: a state is forced and released, in the panel and in the app', async () => {
    const buyer = await createSandboxBuyer()
    const { app, panel } = mount(buyer)
    await app.findByText('payment idle')
    await openTab({ panel }, 'Force')
    await press(await panel.findByRole('button', { name: 'delivering' }))
    await app.findByText('delivery idle')
    await press(panel.getByRole('button', { name: 'Close' }))
    await panel.findByRole('button', { name: 'Checkout devtools: forced' })
    await openTab({ panel }, 'Force')
    expect(panel.getByRole('button', { name: 'delivering' }).getAttribute('aria-pressed')).toBe('true')
    await press(panel.getByRole('button', { name: 'Release' }))
    await app.findByText('payment idle')
    expect(buyer.countSent()).toBe(0)
  })

  test('behavior: a service that is no sandbox is not forced', async () => {
    const { app, panel } = mount(await createBuyer(shop))
    await app.findByText('payment idle')
    await openTab({ panel }, 'Force')
    await panel.findByText(/This service is no sandbox/)
    expect(panel.queryByRole('button', { name: 'delivering' })).toBe(null)
  })

  test('behavior: a service that does not answer is asked again', async () => {
    let isAway = true
    const buyer = await createBuyer(shop, {
      fetch: async (input, init) => {
        if (!String(input).endsWith('/sandbox')) return fetch(input, init)
        if (isAway) throw new TypeError('fetch failed')
        return Response.json({ chains: {} })
      },
    })
    const { app, panel } = mount(buyer)
    await app.findByText('payment idle')
    await openTab({ panel }, 'Force')
    isAway = false
    await press(await panel.findByRole('button', { name: 'Ask again' }))
    await panel.findByRole('button', { name: 'delivering' })
  })
})

describe('useCheckoutDevtools', () => {
  test('default', async () => {
    const buyer = await createSandboxBuyer()
    const { result } = renderBuyerHook(buyer, () => {
      useOrder(buyer.parameters)
      return useCheckoutDevtools()
    })
    await waitFor(() => expect(result.current.orders[0]?.payment).toBe('awaiting-payment'))
    await act(() => result.current.ask())
    act(() => result.current.force(buyer.order.orderId, 'completed'))
    expect(result.current.orders[0]).toMatchObject({ phase: 'completed', forced: 'completed' })
    expect(result.current.timeline.filter(({ kind }) => kind === 'order')).toHaveLength(2)
  })

  test('behavior: all subscribers below one provider see the same', async () => {
    const buyer = await createSandboxBuyer()
    const { result } = renderBuyerHook(buyer, () => [useCheckoutDevtools(), useCheckoutDevtools()] as const)
    expect(result.current[0].timeline).toBe(result.current[1].timeline)
    expect(result.current[0].force).toBe(result.current[1].force)
  })

  test('error: config.provider-missing', () => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const thrown = (() => {
      try {
        renderHook(() => useCheckoutDevtools())
      } catch (error) {
        return error
      }
    })()
    expect(isKassaError(thrown, 'config.provider-missing')).toBe(true)
    print.mockRestore()
  })
})
