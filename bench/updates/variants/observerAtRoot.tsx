import { startObserver } from './startObserver.js'

startObserver()
