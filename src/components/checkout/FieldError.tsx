'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../internal/render.js'
import { type FieldState, useField } from './FormContext.js'

/** State of {@link CheckoutFieldError}. */
export type CheckoutFieldErrorState = FieldState

/** Props of {@link CheckoutFieldError}. */
export type CheckoutFieldErrorProps = PartProps<'span', CheckoutFieldErrorState>

/**
 * Renders a `<span>`. What is wrong with a field; a screen reader reads it with the field, which then has the focus.
 * Absent while nothing is wrong.
 */
export function CheckoutFieldError(props: CheckoutFieldErrorProps): ReactElement | null {
  const { id, error, state } = useField('FieldError')
  const element = useRender('span', 'field-error', props, state, { id: `${id}-error`, children: error })
  return state.isInvalid ? element : null
}
