import { expect, it } from 'vitest'
import { Navigation } from './navigation.ts'

it('each request gets the next number and announces a change; closing the window drops the request', () => {
  let changes = 0
  const changed = () => {
    changes += 1
  }
  const navigation = new Navigation({ changed })
  expect(navigation.view()).toEqual({})
  navigation.request('settings')
  expect(navigation.view()).toEqual({ navigation: { screen: 'settings', number: 1 } })
  navigation.request('signIn')
  expect(navigation.view()).toEqual({ navigation: { screen: 'signIn', number: 2 } })
  expect(changes).toBe(2)
  navigation.clear()
  expect(navigation.view()).toEqual({})
  expect(changes).toBe(3)
  navigation.request('settings')
  expect(navigation.view()).toEqual({ navigation: { screen: 'settings', number: 3 } })
})
