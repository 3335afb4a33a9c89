/** The provider that is verified. */
export interface VerifiedProvider {
  /** The base address of the provider; it takes the place of `/v1` in the pacts. */
  readonly baseUrl: URL;
  readonly apiKey: string;
  readonly stateUrl: URL | undefined;
  /** What state changes carry, as a bearer token. `undefined`: nothing. */
  readonly stateToken: string | undefined;
  /** How long one exchange with the provider may take, in milliseconds. */
  readonly timeout: number;
}
