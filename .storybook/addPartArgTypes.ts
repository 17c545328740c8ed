import type { ArgTypesEnhancer } from 'storybook/internal/types'
import { readDocumentation } from './documentation.js'
import type { PartProp } from './readPartProps.js'

const stateCategory = 'State, as data attributes'

/** What can be written into a field. A function or an element cannot, and an order's id needs a service. */
const chooseControl = ({ name, type, options }: PartProp) => {
  if (options) return { type: options.length > 4 ? 'select' : 'inline-radio' } as const
  if (name === 'style') return { type: 'object' } as const
  if (name === 'className' || name === 'children') return { type: 'text' } as const
  if (type === 'boolean' || type === 'number') return { type } as const
  const isText = type === 'string' && !/^(orderId|clientSecret)$/.test(name)
  return isText ? ({ type: 'text' } as const) : { disable: true }
}

/** Shows on a part's page what it takes, to be tried, and below it the `data-*` attributes it writes. */
export const addPartArgTypes: ArgTypesEnhancer = ({ argTypes, component }) => {
  const { props, state } = readDocumentation(component)
  const described = props.map((prop) => {
    const { name, type, description } = prop
    const given = argTypes[name]
    const control = given?.control ?? chooseControl(prop)
    const options = given?.options ?? prop.options
    return [name, { ...given, name, description, control, options, table: { type: { summary: type } } }]
  })
  const attributes = state.map(({ name, type, description }) => [
    name,
    {
      name,
      description,
      control: { disable: true },
      table: { category: stateCategory, type: { summary: type } },
    },
  ])
  return { ...argTypes, ...Object.fromEntries([...described, ...attributes]) }
}
