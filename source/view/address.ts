export { shortAddress } from '../store/address.ts';
