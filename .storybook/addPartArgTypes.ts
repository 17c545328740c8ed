import type { ArgTypesEnhancer } from 'storybook/internal/types'
import { readDocumentation } from './documentation.js'

const stateCategory = 'State, as data attributes'

/** Shows on a part's page what it takes and, below, the `data-*` attributes it writes. */
export const addPartArgTypes: ArgTypesEnhancer = ({ argTypes, component }) => {
  const { props, state } = readDocumentation(component)
  const described = props.map(({ name, type, description }) => [
    name,
    { ...argTypes[name], name, description, table: { type: { summary: type } } },
  ])
  const attributes = state.map(({ name, type, description }) => [
    name,
    { name, description, control: false, table: { category: stateCategory, type: { summary: type } } },
  ])
  return { ...argTypes, ...Object.fromEntries([...described, ...attributes]) }
}
