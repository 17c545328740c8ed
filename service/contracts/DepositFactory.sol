// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Multicall} from "@openzeppelin/contracts/utils/Multicall.sol";
import {Deposit} from "./Deposit.sol";

/// @title Gives every order a deposit address of its own for payments in tokens.
/// @notice The address follows from the order's reference, so it can be paid long before anything is deployed
/// there; the code is put in place when money first has to leave it.
contract DepositFactory is Ownable, Multicall {
    address public immutable implementation;
    mapping(bytes32 payoutId => bool done) public paidOut;

    /// @dev The token is the zero address for coins.
    event PaidOut(bytes32 indexed orderRef, bytes32 indexed payoutId, address token, address to, uint256 amount);

    error AlreadyPaidOut(bytes32 payoutId);

    constructor(address owner) Ownable(owner) {
        implementation = address(new Deposit());
    }

    function depositAddress(bytes32 orderRef) public view returns (address) {
        return Clones.predictDeterministicAddress(implementation, orderRef);
    }

    /// @notice Sends tokens out of an order's deposit address: to the payer as a refund, or to the treasury.
    /// Once per id.
    function payOut(bytes32 orderRef, bytes32 payoutId, IERC20 token, address to, uint256 amount)
        external
        onlyOwner
    {
        _openPayOut(orderRef, payoutId, address(token), to, amount).transfer(token, to, amount);
    }

    /// @notice Sends out coins that came to an order's deposit address, where no payment in coins was requested.
    /// Once per id, whatever it paid out.
    function payOutCoins(bytes32 orderRef, bytes32 payoutId, address payable to, uint256 amount)
        external
        onlyOwner
    {
        _openPayOut(orderRef, payoutId, address(0), to, amount).transferCoins(to, amount);
    }

    function _openPayOut(bytes32 orderRef, bytes32 payoutId, address token, address to, uint256 amount)
        private
        returns (Deposit)
    {
        if (paidOut[payoutId]) revert AlreadyPaidOut(payoutId);
        paidOut[payoutId] = true;
        address deposit = depositAddress(orderRef);
        if (deposit.code.length == 0) Clones.cloneDeterministic(implementation, orderRef);
        emit PaidOut(orderRef, payoutId, token, to, amount);
        return Deposit(deposit);
    }
}
