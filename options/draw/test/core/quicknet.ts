/**
 * Rounds that drand's quicknet published, as public code quotes them. Each verifies under the pinned key, so none of them
 * can be invented; randomness where the source gives it.
 */
import type { BeaconRound } from '../../core/beacon.ts'

export const publishedRounds: readonly (Omit<BeaconRound, 'randomness'> & { randomness?: string })[] = [
  // https://docs.drand.love/developer/http-api
  {
    round: 42,
    signature: '95a9f9f5b231b7714de1553105d8ffdf3dcda24cfdb1e689319bccf79a9c8ce430a91b811fbfaf763900bc998b5d686a',
  },
  // src/verify.rs of github.com/noislabs/drand-verify
  {
    round: 123,
    signature: 'b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92',
  },
  {
    round: 1000,
    randomness: 'fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd',
    signature: 'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39',
  },
  // README of github.com/very-lame-username/python-drand-verify
  {
    round: 657413,
    randomness: 'fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587',
    signature: 'b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b',
  },
  {
    round: 5358915,
    randomness: 'ded576cc39a412bc7c66c6f4a530983f4894567ed27846fcca14909436308814',
    signature: '95f058cbd1294bc3fa28647dabded06d50b543643fb04e1cb2c5b6204daf20935782f7cae5fa7718cf87b4c43d108842',
  },
  {
    round: 12040883,
    signature: '929906c959032ab363c9f26570d215d66f5c06cb0c44fe508c12bb5839f04ec895bb6868e5b9ff13ab289bdb5266b394',
  },
]
