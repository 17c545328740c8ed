import { act, cleanup, fireEvent, render } from '@testing-library/react'
import { Checkout, type CheckoutValue, isKassaError } from 'kassa'
import type { CSSProperties, ReactElement } from 'react'
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createCheckout } from '../stories/fixtures/checkout.js'
import { orders } from '../stories/fixtures/orders.js'
import { hydrate } from './helpers/hydrate.js'

/** Props that every part takes, whatever its element. */
export type CommonProps = {
  ref?: (node: Element | null) => void
  className?: string | ((state: object) => string)
  style?: CSSProperties | ((state: object) => CSSProperties)
  render?: ReactElement<object> | ((props: object, state: object) => ReactElement)
  title?: string
  children?: (state: object) => undefined
  onClick?: (event: { preventDefault(): void }) => void
}

/** A part, and what is true of it in one checkout. */
export type Conformance = {
  /** The part's name in the namespace. */
  name: Exclude<keyof typeof Checkout, 'Root'>
  /** Renders the part with props. */
  part(props: CommonProps): ReactElement
  /** A checkout in which the part shows something. */
  value: CheckoutValue
  tag: string
  /** Its `data-*` attributes in that checkout, all of them but its name. */
  data: Record<string, string>
  /** Whether a `children` function gets a list, or a line item, in place of the part's state. */
  takesList?: boolean
}

const dataOf = (element: Element): Record<string, string> =>
  Object.fromEntries(
    [...element.attributes]
      .filter(({ name }) => name.startsWith('data-') && !['data-testid', 'data-kassa'].includes(name))
      .map(({ name, value }) => [name, value]),
  )

/** What every part promises, run against one part. */
export const describeConformance = ({
  name,
  part,
  value,
  tag,
  data,
  takesList = false,
}: Conformance): void => {
  afterEach(cleanup)

  const inRoot = (props: CommonProps, checkout = value) => (
    <StrictMode>
      <Checkout.Root value={checkout} data-testid="root">
        {part(props)}
      </Checkout.Root>
    </StrictMode>
  )
  const mount = (props: CommonProps = {}) => {
    const result = render(inRoot(props))
    const element = result.getByTestId('root').firstElementChild
    if (!element) throw new Error(`${name} rendered nothing`)
    return { ...result, element }
  }

  describe(`conformance: ${name}`, () => {
    test('default', () => {
      const { element, getByTestId } = mount({ title: 'own' })
      expect(element.tagName.toLowerCase()).toBe(tag)
      expect(getByTestId('root').children).toHaveLength(1)
      expect(element.getAttribute('title')).toBe('own')
    })

    test('behavior: a theme finds it by its name', () => {
      const kebab = name.replace(/(?<=.)[A-Z]/g, '-$&').toLowerCase()
      expect(mount().element.getAttribute('data-kassa')).toBe(kebab)
    })

    test('behavior: state becomes data attributes', () => {
      expect(dataOf(mount().element)).toEqual(data)
    })

    test('parameters: ref', () => {
      const ref = vi.fn()
      const { element, rerender, unmount } = mount({ ref })
      expect(ref).toHaveBeenLastCalledWith(element)
      const calls = ref.mock.calls.length
      rerender(inRoot({ ref, title: 'again' }))
      expect(ref).toHaveBeenCalledTimes(calls)
      unmount()
      expect(ref).toHaveBeenLastCalledWith(null)
    })

    test('parameters: className and style', () => {
      const { element, rerender } = mount({ className: 'fixed', style: { opacity: 0.5 } })
      expect(element).toHaveProperty('className', 'fixed')
      expect(element.getAttribute('style')).toContain('opacity: 0.5')
      const className = vi.fn(() => 'computed')
      const style = vi.fn(() => ({ opacity: 0.25 }))
      rerender(inRoot({ className, style }))
      expect(element).toHaveProperty('className', 'computed')
      expect(element.getAttribute('style')).toContain('opacity: 0.25')
      for (const field of Object.keys(data)) expect(className).toHaveBeenCalledWith(hasField(field))
      expect(style.mock.lastCall).toEqual(className.mock.lastCall)
    })

    test('parameters: render, an element', () => {
      const ref = vi.fn()
      const own = vi.fn()
      const { element } = mount({
        ref,
        className: 'part',
        style: { opacity: 0.5 },
        render: <article ref={own} className="given" style={{ color: 'red' }} aria-label="given" />,
      })
      expect(element.tagName).toBe('ARTICLE')
      expect([...element.classList].sort()).toEqual(['given', 'part'])
      expect(element.getAttribute('style')).toMatch(/opacity: 0.5.*color: red/)
      expect(element.getAttribute('aria-label')).toBe('given')
      expect(dataOf(element)).toEqual(data)
      expect(ref).toHaveBeenLastCalledWith(element)
      expect(own).toHaveBeenLastCalledWith(element)
    })

    test('parameters: render, a function', () => {
      const draw = vi.fn((props: object, _state: object) => <article {...props} />)
      const ref = vi.fn()
      const { element } = mount({ render: draw, ref, className: () => 'part' })
      expect(element.tagName).toBe('ARTICLE')
      expect(element.className).toBe('part')
      expect(ref).toHaveBeenLastCalledWith(element)
      for (const field of Object.keys(data)) expect(draw.mock.lastCall?.[1]).toEqual(hasField(field))
    })

    if (!takesList)
      test('parameters: children, a function that returns undefined keeps the default', () => {
        const { element, rerender } = mount()
        const shown = element.outerHTML
        const children = vi.fn(() => undefined)
        rerender(inRoot({ children }))
        expect(element.outerHTML).toBe(shown)
        for (const field of Object.keys(data)) expect(children).toHaveBeenCalledWith(hasField(field))
      })

    test('parameters: handlers', () => {
      const onClick = vi.fn()
      fireEvent.click(mount({ onClick }).element)
      expect(onClick).toHaveBeenCalledTimes(1)
    })

    test('behavior: an unknown state and no order at all do not throw', () => {
      render(inRoot({}, createCheckout(orders.unknownFutureState)))
      render(inRoot({}, createCheckout(undefined)))
    })

    test('behavior: hydrates what the server rendered', async () => {
      const live = { ...value, nowMs: undefined }
      const container = document.createElement('div')
      document.body.append(container)
      container.innerHTML = renderToString(inRoot({}, live))
      const onRecoverableError = vi.fn()
      const root = await hydrate(container, inRoot({}, live), { onRecoverableError })
      expect(onRecoverableError).not.toHaveBeenCalled()
      act(() => root.unmount())
      container.remove()
    })

    test('error: config.part-outside-root', () => {
      const log = vi.spyOn(console, 'error').mockImplementation(() => {})
      const caught = (() => {
        try {
          render(part({}))
        } catch (error) {
          return error
        }
      })()
      log.mockRestore()
      expect(isKassaError(caught, 'config.part-outside-root')).toBe(true)
      expect(caught).toHaveProperty('context', { part: `Checkout.${name}` })
    })
  })
}

/** Matches a state that has the field an attribute came from. */
const hasField = (attribute: string) =>
  expect.toSatisfy((state: object) => {
    const name = attribute.slice('data-'.length).replace(/-(.)/g, (_, letter) => letter.toUpperCase())
    return name in state || `is${name.charAt(0).toUpperCase()}${name.slice(1)}` in state
  })
