'use client'

import { createContext, useContext } from 'react'
import { configError } from '../../errors/configError.js'
import type { WrongFields } from './checkForm.js'
import type { CheckoutFieldName } from './fields.js'
import { useCheckoutStore } from './RootContext.js'

/** What a form tells its fields. */
export type FormContextValue = {
  wrong: WrongFields
  /** What is offered to the buyer to begin with. */
  offered: { [Name in CheckoutFieldName]?: string | undefined }
  /** Looks again at a field in which the buyer writes. */
  recheck(name: CheckoutFieldName, text: string): void
}

/** Hands a form to the fields inside it; outside of one, a field is never wrong. */
export const FormContext = createContext<FormContextValue>({ wrong: {}, offered: {}, recheck: () => {} })

/** State of a field, and of each part of it. */
export type FieldState = {
  name: CheckoutFieldName
  /** Whether what stands in it cannot be used. */
  isInvalid: boolean
  /** Whether it may not stay empty. */
  isRequired: boolean
}

/** What a field tells the parts inside it. */
export type FieldContextValue = {
  id: string
  /** What is wrong, for the buyer to read. */
  error: string | undefined
  state: FieldState
  offered: string | undefined
  /** Looks again at what the buyer writes. */
  recheck(text: string): void
}

/** Hands a field to the parts inside it. */
export const FieldContext = createContext<FieldContextValue | undefined>(undefined)

/**
 * The field a part stands in.
 *
 * @throws {@link KassaError} `config.part-outside-root`
 */
export const useField = (part: string): FieldContextValue => {
  useCheckoutStore(part)
  const field = useContext(FieldContext)
  if (!field) throw configError('config.part-outside-root', { part: `Checkout.${part}` })
  return field
}
