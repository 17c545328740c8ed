export { parseAddress } from '../../parseAddress.js'
