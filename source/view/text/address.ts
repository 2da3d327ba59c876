export { shortAddress } from '../../store/grants/address.ts';
