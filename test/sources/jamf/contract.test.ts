import { sourceContract } from '../../contracts/source.ts';
import { asClient, jamfPro } from './subject.ts';

sourceContract('Jamf Pro, asked by an API client,', jamfPro(asClient));
