import { signInContract } from '../../contracts/source.ts';
import { asAccount, asClient, behindGateway, jamfPro } from './subject.ts';

signInContract('Jamf Pro, asked by an account,', jamfPro(asAccount));
signInContract('Jamf Pro, asked through the gateway of the Jamf Platform [F2],', behindGateway(asClient));
