'use client'

import {
  type ComponentProps,
  type CSSProperties,
  cloneElement,
  createElement,
  isValidElement,
  type ReactElement,
  type ReactNode,
  type Ref,
} from 'react'
import { type PartState, toDataAttributes } from './dataAttributes.js'
import { type AnyProps, mergeProps } from './mergeProps.js'
import { useMergedRef } from './useMergedRef.js'

/** Elements a part can render by default. */
export type PartTag =
  | 'a'
  | 'button'
  | 'div'
  | 'dl'
  | 'form'
  | 'img'
  | 'input'
  | 'label'
  | 'li'
  | 'ol'
  | 'output'
  | 'p'
  | 'section'
  | 'select'
  | 'span'
  | 'time'
  | 'ul'

/** Options of every part beside the attributes of its element. */
export type PartOptions<Tag extends PartTag, State> = {
  /** The element to render instead, or a function that makes it from the part's props and state. */
  render?: ReactElement | ((props: ComponentProps<Tag>, state: State) => ReactElement) | undefined
  /** A class, or a function of the part's state. */
  className?: string | ((state: State) => string | undefined) | undefined
  /** A style, or a function of the part's state. */
  style?: CSSProperties | ((state: State) => CSSProperties | undefined) | undefined
  /** What to show instead of the default text, or a function of the part's state. `undefined` keeps the default. */
  children?: ReactNode | ((state: State) => ReactNode)
}

/** Props of a part: the attributes of its element, and the options of every part. */
export type PartProps<Tag extends PartTag, State> = Omit<ComponentProps<Tag>, keyof PartOptions<Tag, State>> &
  PartOptions<Tag, State>

/** Returns a value, or the result of a function of the state. */
const resolve = <Value, State>(value: Value | ((state: State) => Value), state: State): Value =>
  // The cast is deliberate: `Value` is never a function, which TypeScript cannot express for a type
  // parameter.
  typeof value === 'function' ? (value as (state: State) => Value)(state) : value

const refOf = (props: { ref?: unknown }): Ref<unknown> | undefined =>
  // The cast is deliberate: React 19 passes refs as ordinary props, typed by an element that is unknown here.
  props.ref as Ref<unknown> | undefined

/**
 * Renders every part. It merges the caller's props over the part's own, writes the state as `data-*`
 * attributes, and renders the part's element or the caller's.
 *
 * @param tag - The element to render by default.
 * @param part - The part's name in `data-kassa`, by which themes select it.
 * @param props - The caller's props.
 * @param state - The part's flat state.
 * @param own - The part's own attributes, handlers and default children.
 */
export const useRender = <Tag extends PartTag, State extends object>(
  tag: Tag,
  part: string,
  props: PartProps<Tag, State>,
  state: State & PartState,
  own: ComponentProps<Tag>,
): ReactElement => {
  const { render, className, style, children, ...theirs }: PartOptions<Tag, State> & AnyProps = props
  const element = isValidElement<AnyProps>(render) ? render : undefined
  const ref = useMergedRef(refOf(own), refOf(theirs), element && refOf(element.props))

  const attributes: AnyProps = { ...own, 'data-kassa': part, ...toDataAttributes(state) }
  const given: AnyProps = {
    ...theirs,
    className: resolve(className, state),
    style: resolve(style, state),
    children: resolve(children, state),
  }
  const merged = { ...mergeProps(attributes, given), ref }

  if (element) return cloneElement(element, { ...mergeProps(merged, element.props), ref })
  // The cast is deliberate: these are the props of `Tag`, merged by name, which TypeScript cannot follow.
  if (typeof render === 'function') return render(merged as ComponentProps<Tag>, state)
  return createElement(tag, merged)
}
